// SPDX-License-Identifier: Apache-2.0
// An observer of all that leaves the engine while a scenario runs: events, messages, and written documents.
#pragma once

#include <string>

#include "kingpost/engine.h"
#include "kingpost/secrets_manager.h"

namespace kingpost::scenarios {

class Onlooker {
 public:
  virtual ~Onlooker() = default;
  // The manager that encrypts the scenario's secrets. Lives as long as the onlooker.
  virtual SecretsManager& secrets() = 0;
  virtual void BeginAct(const OperationOptions& options) = 0;
  // Receives the events of the act. Not null.
  virtual EventSink* events() = 0;
  // `what` is "journal", "state" or "plan".
  virtual void Written(const std::string& what, const std::string& text) = 0;
  virtual void EndAct() = 0;
};

}  // namespace kingpost::scenarios
