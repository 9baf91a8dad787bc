// SPDX-License-Identifier: Apache-2.0
// Messages of plugins outside of operations: warnings and errors are printed, and the rest is dropped.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/session/session.h"
#include "kingpost/monitor.h"

namespace kingpost {

class PluginListener : public EngineService {
 public:
  explicit PluginListener(const Session& session) : session_(session) {}

  void Log(Severity severity, std::string message, std::string, int, bool ephemeral) override {
    if (!ephemeral && (severity == Severity::kWarning || severity == Severity::kError)) session_.Note(message);
  }
  std::string root_resource() override { return ""; }
  void set_root_resource(std::string) override {}
  void StartDebugging(std::map<std::string, std::string>, std::string) override {}
  Status RequireVersion(const std::string&) override { return Status::Ok(); }
  Status PublishViewSteps(const std::string&, const std::vector<ViewStep>&) override {
    return Status(Code::kUnimplemented, "no operation is under way");
  }

 private:
  const Session& session_;
};

}  // namespace kingpost
