// SPDX-License-Identifier: Apache-2.0
#include "operation/stack_context.h"

#include "base/clock.h"
#include "model/version_range.h"

namespace kingpost {

SealOptions CurrentSealOptions(const std::string& command) {
  SealOptions options;
  options.now_rfc3339 = NowRfc3339();
  options.version = CompatibleVersion();
  options.command = command;
  return options;
}

std::string CompatibleVersion() { return std::string("v") + kPulumiVersion; }

}  // namespace kingpost
