// SPDX-License-Identifier: Apache-2.0
// The projects that are members of a fleet: every one below its folder, or those that kingpost.yaml lists. Also finds
// the members that a name or a pattern of kingpost.yaml refers to.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "operation/fleet/fleet_file.h"

namespace kingpost::fleet {

struct ListedProject {
  std::string folder;        // absolute
  std::string label;         // the folder as seen from the fleet's, "." for itself
  FleetFile::Member wanted;  // its entry in the file; empty if the file lists no members
  bool by_name = false;      // the file names this folder, not a pattern
};
// Lists them in the order of the folders, or in that of the file. `root` is the fleet's folder, without links in its
// path. Reads folders. Fails with kInvalidArgument if a listed member does not exist.
Result<std::vector<ListedProject>> ListProjects(const std::string& root, const FleetFile& file);

// The names of a member.
struct MemberNames {
  std::string name;  // "network/prod"
  std::string project, label;
  std::vector<std::string> groups;
};
// The members that `after` of the member `of` refers to by this name, without `of` itself. Fails with kInvalidArgument
// if no member has the name.
Result<std::vector<size_t>> FindMembersByName(const std::string& name, size_t of,
                                              const std::vector<MemberNames>& members, const FleetFile& file);
// The members that fit a pattern, or belong to the group of that name.
std::vector<size_t> FindMatchingMembers(const std::string& pattern, const std::vector<MemberNames>& members,
                                        const FleetFile& file);

}  // namespace kingpost::fleet
