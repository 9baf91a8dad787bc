// SPDX-License-Identifier: Apache-2.0
// The logs that the reference keeps of each of its commands in $PULUMI_HOME/logs, by the names of their files:
//
//   organization+shop+dev-20261125T103709-UPDATE.log      of an operation on a stack
//   pulumi-20261125T103708-9710-plugin_install.log        of a command, with its process
//
// This command writes none of its own there; it lists and removes those that are. Any thread.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct LogFile {
  std::string path, name;
  std::string stack;      // "organization/shop/dev"; "" if it is of a command
  std::string command;    // "plugin install", if that is told
  std::string update_id;  // or the process of a command
  std::time_t time = 0;
  int64_t bytes = 0;

  bool is_command_log() const { return stack.empty(); }
  std::string shown_stack() const;  // "(cli: plugin install)" of a command
};

// By its name alone; nothing if that is no log's.
std::optional<LogFile> ParseLogName(const std::string& name);
// Those of the folder, the newest first. A folder that is not there has none.
Result<std::vector<LogFile>> ListLogFiles(const std::string& folder);
// "24h" before `now`, "2026-01-01", "2026-01-01T10:00:00", the same with "Z" in UTC, or seconds since 1970.
std::optional<std::time_t> ParseLogTime(const std::string& text, std::time_t now);

}  // namespace kingpost
