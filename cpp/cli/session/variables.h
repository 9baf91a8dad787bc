// SPDX-License-Identifier: Apache-2.0
// The environment variables that this program reads: `about env` lists them, and the history tells which were set.
#pragma once

#include <string>
#include <vector>

namespace kingpost {

struct Variable {
  enum class Kind { kSwitch, kText, kSecret };
  const char* name;
  Kind kind;
  const char* meaning;
};

const std::vector<Variable>& KnownVariables();

// How the history tells that a PULUMI_ variable is set: "true" or "false" for switches, "set" for all others, whose
// values stay untold.
std::string HistoryTextOf(const std::string& name, const std::string& value);

}  // namespace kingpost
