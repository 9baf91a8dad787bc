// SPDX-License-Identifier: Apache-2.0
// The engine's service as plugins see it, whose processes may be there before a run, and from one run to the next.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kingpost/monitor.h"

namespace kingpost {

// Hands everything on to the service of the present run. Log messages from before the first run are kept for it; later
// ones that come between runs are dropped. Loop thread.
class EngineRelay final : public EngineService {
 public:
  void set(EngineService* service);  // null: no run

  void Log(Severity severity, std::string message, std::string urn, int stream_id, bool ephemeral) override;
  std::string root_resource() override;
  void set_root_resource(std::string urn) override;
  void StartDebugging(std::map<std::string, std::string> config, std::string message) override;
  Status RequireVersion(const std::string& range) override;
  Status PublishViewSteps(const std::string& token, const std::vector<ViewStep>& steps) override;
  void Progress(const ProgressEvent& event) override;

 private:
  struct Message {
    Severity severity;
    std::string message, urn;
    int stream_id;
    bool ephemeral;
  };

  EngineService* service_ = nullptr;
  bool before_first_ = true;
  std::vector<Message> kept_;
};

}  // namespace kingpost
