// SPDX-License-Identifier: Apache-2.0
// The functions of programs in YAML, as other languages call them. What no library there does exactly so (JSON with its
// keys in order, numbers in texts) is done by a helper that goes into the program. Any thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "languages/codegen/program.h"

namespace kingpost::codegen {

struct FunctionCode {
  std::string call;
  std::string helper;   // the definition that the call needs; "" if it needs none
  std::string applied;  // what the call applies to its only argument, if it is no more than that: "to_json"
  std::vector<std::string> modules;  // to be imported
};

// Of arguments that are there: nothing that comes later.
FunctionCode PythonCall(CallOf::Function function, const std::vector<std::string>& arguments);
FunctionCode NodeCall(CallOf::Function function, const std::vector<std::string>& arguments);

// What the two above and their helpers call by name: no variable may be called so.
std::set<std::string> PythonFunctionNames();
std::set<std::string> NodeFunctionNames();

}  // namespace kingpost::codegen
