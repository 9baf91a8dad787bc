// SPDX-License-Identifier: Apache-2.0
// Somebody who sees all that leaves the engine while a scenario is played, as others would: told, printed and written.
#pragma once

#include <string>

#include "kingpost/engine.h"
#include "kingpost/secrets_manager.h"

namespace kingpost::scenarios {

class Onlooker {
 public:
  virtual ~Onlooker() = default;
  // What secrets are written with. Lives as long as the onlooker.
  virtual SecretsManager& secrets() = 0;
  virtual void BeginAct(const OperationOptions& options) = 0;
  // Not null.
  virtual EventSink* events() = 0;
  // `what` is "journal", "state" or "plan".
  virtual void Written(const std::string& what, const std::string& text) = 0;
  virtual void EndAct() = 0;
};

}  // namespace kingpost::scenarios
