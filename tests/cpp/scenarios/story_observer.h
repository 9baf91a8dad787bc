// SPDX-License-Identifier: Apache-2.0
// Follows a story and says what is wrong with an act: flags, options or policies forbid something that happened, or
// something exists that is not recorded.
#pragma once

#include <set>

#include "scenarios/random_story.h"

namespace kingpost::scenarios {

using NameSet = std::set<std::string>;

class Observer {
 public:
  // "" if nothing is wrong.
  std::string Look(const Json& act, const Happened& happened);
  // True if the thing may be in the cloud without being recorded.
  bool MayLinger(const std::string& id) const { return lingering_.count(id.substr(0, id.rfind('-'))) > 0; }

 private:
  struct StepLine {
    std::string op, name;
    bool failed = false;
  };
  static StepLine Parse(const std::string& text);

  void Remember(const Json& act);
  void Visit(const Json& statements);
  void NoteUnfinished(const Happened& happened);
  std::string CheckConstraints(const std::string& run) const;
  bool IsOneOfItsName(const std::string& name) const;
  static bool IsRecordedOnce(const std::string& name, const Happened& happened);
  std::string CheckProtection(const std::string& run, const Json& act) const;
  std::string CheckPolicies(const std::string& run, const Happened& happened) const;
  std::string CheckTransforms(const std::string& run, const Happened& happened) const;
  std::string CheckHooks(const std::string& run, const Happened& happened) const;
  std::string CheckTaints(const std::string& run, const Happened& happened) const;
  std::string CheckFlagged(const std::string& run, const Happened& happened) const;
  bool MeansTheSame(const std::string& run) const;
  std::string CheckBrokenProgram(const std::string& run, const Happened& happened) const;
  std::string CheckPlan(const std::string& run, const Happened& happened);
  std::string CheckCloud(const Happened& happened) const;

  std::vector<StepLine> steps_;
  Json before_ = Json::object(), program_ = Json::array(), policies_ = Json::array(), plan_, mark_;
  std::map<std::string, Json> hooks_;  // resource -> hooks, as the program says
  bool guard_fails_ = false, transforms_ = false, kit_needs_cloud_ = false, planned_well_ = false;
  NameSet recorded_, renamed_, lingering_;
  bool drifted_ = false;
};

}  // namespace kingpost::scenarios
