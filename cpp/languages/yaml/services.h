// SPDX-License-Identifier: Apache-2.0
// What a running YAML program needs from outside. Engine thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/loop.h"
#include "kingpost/monitor.h"

namespace kingpost::yaml {

struct Services {
  Loop* loop = nullptr;
  std::function<Monitor*()> monitor;  // null when there is none any more
  std::string program_folder, root_folder;
  std::string source_path;  // of the program's file: resources say where they are declared

  std::function<Task<Result<std::string>>(ProviderSpec, std::optional<Parameterization>)> load_schema;
  std::function<void(Severity severity, std::string message)> log;
  std::function<Status(const std::string& range)> require_version;
  std::function<void(std::string urn)> set_root_resource;
};

}  // namespace kingpost::yaml
