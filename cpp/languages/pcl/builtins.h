// SPDX-License-Identifier: Apache-2.0
// The functions of the language that only compute. Those that ask outside, or do not compute all their arguments, are
// in evaluate_calls.cc. Any thread.
#pragma once

#include <string>
#include <vector>

#include "languages/pcl/datum.h"

namespace kingpost::pcl {

struct Surroundings;  // evaluator.h

struct Builtin {
  const char* name;
  int least, most;  // arguments; most < 0: any number
  // What an argument may be. Without these, null is a mistake, and one unknown argument makes the result unknown.
  bool takes_null, takes_unknown;
  bool deep;  // an unknown deep inside makes the result unknown, too
  Result<Value> (*compute)(const Surroundings& around, const std::vector<Value>& arguments);
};

// Null if there is none of this name. `secret` and `unsecret` are here only by name: they are about marks.
const Builtin* FindBuiltin(const std::string& name);

// Why a function that the reference has is not offered to snippets; "" if it is no such function.
std::string WhyNotOffered(const std::string& name);

// Reads a file, where the dialect offers it: evaluated, not computed.
inline constexpr char kReadFile[] = "readFile";

// As JSON: keys sorted, and <, > and & escaped, so that the text can stand in HTML.
std::string ToJson(const Value& value);

}  // namespace kingpost::pcl
