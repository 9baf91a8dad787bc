// SPDX-License-Identifier: Apache-2.0
// The projects that are to be members of a fleet: every one below its folder, or those that kingpost.yaml lists. And
// whom a name or a pattern there means.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "operation/fleet/fleet_file.h"

namespace kingpost::fleet {

struct ListedProject {
  std::string folder;        // absolute
  std::string label;         // the folder as seen from the fleet's, "." for itself
  FleetFile::Member wanted;  // what the file says of it; nothing if it lists no members
  bool by_name = false;      // the file names this very folder, and no pattern
};
// In the order of the folders, or in that of the file. `root` is the fleet's folder, without links in its path. Reads
// folders. kInvalidArgument for what is listed and is not there.
Result<std::vector<ListedProject>> ListProjects(const std::string& root, const FleetFile& file);

// What a member may be called.
struct MemberNames {
  std::string name;  // "network/prod"
  std::string project, label;
  std::vector<std::string> groups;
};
// Those whom `after` of the member `of` means by this name, without itself. kInvalidArgument if nobody is called so.
Result<std::vector<size_t>> MembersCalled(const std::string& name, size_t of, const std::vector<MemberNames>& members,
                                          const FleetFile& file);
// Those that fit a pattern, or are in the group of that name.
std::vector<size_t> MembersThatFit(const std::string& pattern, const std::vector<MemberNames>& members,
                                   const FleetFile& file);

}  // namespace kingpost::fleet
