// SPDX-License-Identifier: Apache-2.0
// kingpost.yaml: which stacks belong together, where that is not simply every project below a folder.
//
//     stack: prod                    # of members that name none
//     config:                        # for each member that has no value of its own
//       aws:region: eu-central-1
//     members:                       # all projects below, if there are none
//       - network                    # a folder; * and ? stand for any
//       - folder: web
//         stack: blue
//         after: [network]           # folders, projects or stacks
//         groups: [front]
//     groups:
//       back: [network, "services/*"]
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {
class StackConfig;
}

namespace kingpost::fleet {

inline constexpr char kFleetFile[] = "kingpost.yaml";

struct FleetFile {
  struct Member {
    std::string folder, stack;
    std::vector<std::string> after, groups;

    bool is_pattern() const { return folder.find_first_of("*?[") != std::string::npos; }
  };
  std::string path;  // "" if there is no file
  std::string stack;
  std::map<std::string, std::string> config;
  std::vector<Member> members;
  std::map<std::string, std::vector<std::string>> groups;
};

// Reads kingpost.yaml of the folder; returns an empty one if the folder has none. A mistake of the user is
// kInvalidArgument, and its message names the line.
Result<FleetFile> LoadFleetFile(const std::string& folder);
Result<FleetFile> ParseFleetFile(const std::string& path, const std::string& text);

// The part of `config` that a stack with these settings gets: the keys for which it has no value of its own.
Result<std::map<std::string, std::string>> ConfigFor(const FleetFile& file, const StackConfig& settings);

}  // namespace kingpost::fleet
