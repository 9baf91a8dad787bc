// SPDX-License-Identifier: Apache-2.0
// The stacks that --all means: found, opened, put in order by what their last runs have read. Main thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/fleet/fleet_flags.h"
#include "cli/session/session.h"
#include "operation/fleet/board.h"
#include "operation/fleet/fleet_file.h"

namespace kingpost {

struct FleetMember {
  std::string name;    // "network/prod": project and stack
  std::string folder;  // of the project, absolute
  std::string label;   // the folder as seen from the fleet's
  Project project;
  StackName stack;
  std::shared_ptr<StateStore> store;
  std::string store_url;
  std::vector<std::string> groups;
  std::vector<std::string> after_names;  // as written
  std::vector<size_t> after;             // members
  std::vector<size_t> references;        // members that its last run read
  std::string document;                  // its checkpoint as it was found; emptied once it was looked at
};

struct Fleet {
  std::string folder;
  fleet::FleetFile file;
  std::vector<FleetMember> members;
  std::vector<std::string> left_out;  // projects that have no such stack

  std::vector<fleet::BoardMember> BoardMembers() const;
};

// `stack`: as --stack gives it, "" for what kingpost.yaml says, else for what is selected in each project. Stacks that
// do not exist are made if the flags say so.
Result<Fleet> OpenFleet(Session& session, const FleetFlags& flags, const std::string& stack);

// The file in `folder` that holds the update plan of the member.
std::string PlanFile(const std::string& folder, const FleetMember& member);

// Leaves those that the flags select, with what they ask for besides.
Status SelectMembers(const FleetFlags& flags, Fleet* fleet);

// Fails, with its name, if recorded references and `after` close a circle.
Status CheckOrder(const Fleet& fleet);

}  // namespace kingpost
