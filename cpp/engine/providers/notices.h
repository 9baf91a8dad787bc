// SPDX-License-Identifier: Apache-2.0
// Receives notices of providers' answers while a run goes on. The engine's reporter in a run; a list in tests. Engine
// thread.
#pragma once

#include <string>

#include "model/urn.h"

namespace kingpost::providers {

class Notices {
 public:
  virtual ~Notices() = default;
  virtual void Error(const Urn& urn, const std::string& message) = 0;
  virtual void Warning(const Urn& urn, const std::string& message) = 0;
  virtual void Info(const Urn& urn, const std::string& message) = 0;
};

}  // namespace kingpost::providers
