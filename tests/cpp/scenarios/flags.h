// SPDX-License-Identifier: Apache-2.0
// The words of an act's `run`: an operation and the flags of the command line.
#pragma once

#include "kingpost/engine.h"
#include "scenarios/values.h"

namespace kingpost::scenarios {

struct Flags {
  OperationOptions options;
  bool save_plan = false, use_plan = false;
};

// "up --target a --continue-on-error". Throws Mistake.
Flags ParseFlags(const Names& names, const std::string& text);

}  // namespace kingpost::scenarios
