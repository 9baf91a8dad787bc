// SPDX-License-Identifier: Apache-2.0
#include "scenarios/story_observer.h"

#include <algorithm>

namespace kingpost::scenarios {

namespace {

// The words after a flag, wherever it stands.
NameSet Named(const std::string& run, const std::string& flag) {
  NameSet names;
  for (size_t at = run.find(flag + " "); at != run.npos; at = run.find(flag + " ", at + 1)) {
    const size_t begin = at + flag.size() + 1;
    names.insert(run.substr(begin, run.find(' ', begin) - begin));
  }
  return names;
}

bool IsUpdate(const std::string& run) { return run.rfind("up", 0) == 0; }

bool IsConstrained(const std::string& run) { return Contains(run, "--target") || Contains(run, "--exclude"); }

}  // namespace

Observer::StepLine Observer::Parse(const std::string& text) {
  StepLine line;
  const size_t space = text.find(' ');
  line.op = text.substr(0, space);
  line.name = text.substr(space + 1, text.find(' ', space + 1) - space - 1);
  line.failed = Contains(text, " failed");
  return line;
}

std::string Observer::Look(const Json& act, const Happened& happened) {
  if (!happened.broken.empty()) return happened.broken;
  Remember(act);
  NoteUnfinished(happened);
  const std::string run = act["run"];
  steps_.clear();
  for (const Json& step : happened.steps) steps_.push_back(Parse(step));
  std::string wrong = CheckConstraints(run);
  if (wrong.empty()) wrong = CheckProtection(run, act);
  const bool recorded = !act.contains("journalFails");  // else the record says less than the steps
  if (wrong.empty() && recorded) wrong = CheckPolicies(run, happened);
  if (wrong.empty() && recorded) wrong = CheckTransforms(run, happened);
  if (wrong.empty()) wrong = CheckHooks(run, happened);
  if (wrong.empty()) wrong = CheckTaints(run, happened);
  if (wrong.empty()) wrong = CheckFlagged(run, happened);
  if (wrong.empty()) wrong = CheckBrokenProgram(run, happened);
  if (wrong.empty()) wrong = CheckPlan(run, happened);
  if (wrong.empty() && !Contains(run, "preview")) wrong = CheckCloud(happened);
  before_ = happened.state;
  for (const auto& [name, state] : before_.items()) recorded_.insert(name);
  return wrong;
}

void Observer::Remember(const Json& act) {
  if (act.contains("policies")) policies_ = act["policies"];
  if (act.contains("cloudOf")) drifted_ = true;
  if (act.contains("cloud")) lingering_.insert("found");
  if (act.contains("transforms")) mark_ = act["transforms"]["mark"]["set"]["marked"];
  if (act.contains("program")) {
    program_ = act["program"];
    hooks_.clear();
    guard_fails_ = transforms_ = false;
  }
  Visit(program_);
}

void Observer::Visit(const Json& statements) {
  for (const Json& statement : statements) {
    if (statement.contains("together")) Visit(statement["together"]);
    if (statement.contains("hook")) guard_fails_ = statement.contains("error");
    if (statement.contains("stackTransform")) transforms_ = true;
    if (statement.contains("component")) kit_needs_cloud_ = statement.contains("providers");
    if (!statement.contains("resource")) continue;
    const std::string name = statement["resource"];
    if (statement.contains("as")) renamed_.insert(statement["as"].get<std::string>());
    hooks_[name] = statement.value("hooks", Json::object());
    if (!statement.contains("retainOnDelete") && !statement.contains("deletedWith")) continue;
    lingering_.insert(name);
    lingering_.insert(statement.value("as", name));
  }
}

// Notes the operations that were running when the run was ended: their effects are unknown.
void Observer::NoteUnfinished(const Happened& happened) {
  for (const std::string operation : happened.pending) {
    const std::string name = operation.substr(operation.find(' ') + 1);
    lingering_.insert(name);
    lingering_.insert(name + "-new");
    drifted_ = true;
  }
}

// Checks that resources outside of the targets stay as they are, unless they were replaced with another. It looks only
// at resources whose name is unique and whose URN never changes. It skips previews, because these go on to report every
// mistake in the flags.
std::string Observer::CheckConstraints(const std::string& run) const {
  if (Contains(run, "preview")) return "";
  NameSet targets = Named(run, "--target");
  targets.merge(Named(run, "--target-replace"));
  const NameSet excludes = Named(run, "--exclude");
  for (const StepLine& step : steps_) {
    const bool touches = step.op == "create" || step.op == "update" || step.op == "delete" || step.op == "refresh";
    if (!touches || !IsOneOfItsName(step.name) || recorded_.count(step.name) == 0) continue;
    const bool reached = targets.count(step.name) > 0 || Contains(run, "--target-dependents");
    if (!targets.empty() && !reached) return "not a target: " + step.op + " " + step.name;
    if (targets.empty() && excludes.count(step.name) > 0) return "excluded: " + step.op + " " + step.name;
  }
  return "";
}

// A delete of something by that name may be one of an old side that waited for it.
bool Observer::IsOneOfItsName(const std::string& name) const {
  return name[0] == 'r' && renamed_.count(name) == 0 && !before_.contains(name + " deleted");
}

std::string Observer::CheckProtection(const std::string& run, const Json& act) const {
  if (Contains(run, "--ignore-protect") || Contains(run, "refresh")) return "";
  const bool unprotects = Contains(run, "destroy") && Contains(run, "--run-program");
  for (const StepLine& step : steps_) {
    if (step.op != "delete" || step.failed || unprotects || !IsOneOfItsName(step.name)) continue;
    Json recorded = before_.value(step.name, Json::object());
    recorded.update(Mapping(Mapping(act, "edit"), step.name));
    if (recorded.value("protect", false)) return "protected: delete " + step.name;
  }
  return "";
}

// Names are labels, and two resources may have had the same one, one after the other.
bool Observer::IsRecordedOnce(const std::string& name, const Happened& happened) {
  return happened.state.contains(name) && !happened.state.contains(name + "'");
}

// Checks that created and updated resources keep mandatory policies, and are as remediations made them.
std::string Observer::CheckPolicies(const std::string& run, const Happened& happened) const {
  if (!Contains(run, "up")) return "";
  for (const StepLine& step : steps_) {
    const bool makes = step.op == "create" || step.op == "update" || step.op == "create-replacement";
    if (!makes || step.failed || !IsRecordedOnce(step.name, happened)) continue;
    const Json& state = happened.state[step.name];
    const Json size = state["inputs"].value("size", Json());
    for (const Json& rule : policies_.empty() ? Json::array() : policies_[0]["rules"]) {
      const bool holds = rule["level"] == "remediate" || (rule["level"] == "mandatory" && !rule["stack"]);
      if (holds && state["type"] == rule["type"] && size == rule["when"]["size"]) {
        return "against " + rule["name"].get<std::string>() + ": " + step.op + " " + step.name;
      }
    }
  }
  return "";
}

// Checks that created resources are as the program's transforms made them.
std::string Observer::CheckTransforms(const std::string& run, const Happened& happened) const {
  if (!IsUpdate(run)) return "";
  for (const StepLine& step : steps_) {
    const bool makes = step.op == "create" || step.op == "create-replacement";
    if (!makes || step.failed || !IsRecordedOnce(step.name, happened)) continue;
    const Json& state = happened.state[step.name];
    const Json wanted = transforms_ && state["type"] == "pkg:m:R" ? mark_ : Json();
    if (state["inputs"].value("marked", Json()) != wanted) return "not as the transform says: " + step.name;
  }
  return "";
}

// Checks that the provider was not called for steps that a hook forbids.
std::string Observer::CheckHooks(const std::string& run, const Happened& happened) const {
  if (!guard_fails_ || !IsUpdate(run)) return "";
  for (const auto& [name, hooks] : hooks_) {
    for (const auto& [kind, verb] : {std::pair("beforeCreate", "create "), std::pair("beforeUpdate", "update ")}) {
      const Json call = verb + name;
      const bool asked = std::find(happened.calls.begin(), happened.calls.end(), call) != happened.calls.end();
      if (asked && hooks.contains(kind)) return "a hook forbids: " + call.get<std::string>();
    }
  }
  return "";
}

// Checks that a successful update of all resources leaves none tainted.
std::string Observer::CheckTaints(const std::string& run, const Happened& happened) const {
  if (!IsUpdate(run) || IsConstrained(run) || !happened.fails.empty()) return "";
  for (const auto& [name, state] : happened.state.items()) {
    if (state.value("taint", false) && !state.value("delete", false)) return "still tainted: " + name;
  }
  return "";
}

// Checks that a resource with refreshBeforeUpdate was read before its update.
std::string Observer::CheckFlagged(const std::string& run, const Happened& happened) const {
  if (Contains(run, "--run-program") || IsConstrained(run)) return "";  // reads may follow the recorded state
  for (const StepLine& step : steps_) {
    if (step.op != "update" || !IsOneOfItsName(step.name)) continue;
    if (!before_.value(step.name, Json::object()).value("refreshBeforeUpdate", false)) continue;
    const Json call = "read " + step.name;
    const bool asked = std::find(happened.calls.begin(), happened.calls.end(), call) != happened.calls.end();
    if (!asked) return "updated without a look: " + step.name;
  }
  return "";
}

// A program that broke has not said all that is to stay.
std::string Observer::CheckBrokenProgram(const std::string& run, const Happened& happened) const {
  if (!IsUpdate(run) || !Contains(happened.says.dump(), "the program broke")) return "";
  if (happened.fails.empty()) return "the program broke, and the run went well";
  for (const StepLine& step : steps_) {
    if (step.op == "delete" && IsOneOfItsName(step.name)) return "the program broke: delete " + step.name;
  }
  return "";
}

// Names may mean something else in the second of two runs, if the first has learned new ones.
bool Observer::MeansTheSame(const std::string& run) const {
  for (const char* flag : {"--target", "--exclude"}) {
    for (const std::string& name : Named(run, flag)) {
      if (!IsOneOfItsName(name) || recorded_.count(name) == 0) return false;
    }
  }
  return true;
}

// Checks that an update which is held to a plan succeeds, and takes only planned steps.
std::string Observer::CheckPlan(const std::string& run, const Happened& happened) {
  if (Contains(run, "--save-plan")) {
    plan_ = happened.plan;
    // A preview cannot know what a provider with unknown inputs would do. Of two resources that register side by side
    // either may be decided on first.
    const bool known = !kit_needs_cloud_ && !Contains(program_.dump(), "together") &&
                       !Contains(happened.says.dump(), "not known during preview");
    planned_well_ = known && happened.fails.empty();
  }
  if (!Contains(run, "--plan") || !planned_well_ || !MeansTheSame(run)) return "";
  for (const StepLine& step : steps_) {
    if (step.op == "same" || step.op == "refresh") continue;
    const Json planned = Mapping(plan_, step.name).value("steps", Json::array());
    const bool allowed = std::find(planned.begin(), planned.end(), Json(step.op)) != planned.end();
    if (!allowed && IsOneOfItsName(step.name)) return "not planned: " + step.op + " " + step.name;
  }
  if (!guard_fails_ && !happened.fails.empty()) return "what was planned cannot be done";
  return "";
}

// All that exists is known, and all that is known exists.
std::string Observer::CheckCloud(const Happened& happened) const {
  NameSet known, exists;
  for (const Json& id : happened.cloud) exists.insert(id.get<std::string>());
  known.insert("seen-1");
  if (exists.count("seen-1") == 0) return "what was only read is gone";
  for (const auto& [name, state] : happened.state.items()) {
    const std::string id = state.value("id", "");
    if (id.empty() || !state.value("custom", false)) continue;
    known.insert(id);
    const bool gone = state.value("pendingReplacement", false) || drifted_;
    if (!gone && exists.count(id) == 0) return "recorded, but not there: " + name + " " + id;
  }
  for (const std::string& id : exists) {
    if (known.count(id) == 0 && !MayLinger(id)) return "there, but not recorded: " + id;
  }
  return "";
}

}  // namespace kingpost::scenarios
