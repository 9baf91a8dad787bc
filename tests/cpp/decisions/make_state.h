// SPDX-License-Identifier: Apache-2.0
// Short spellings of states for the tests of decisions/.
#pragma once

#include <memory>
#include <string>

#include "model/resource.h"

namespace kingpost::plan_test {

inline Urn UrnOf(const std::string& name, const std::string& type = "pkg:m:Typ") {
  return Urn::Make("stack", "project", "", type, name);
}

// A custom resource that names nothing.
inline State StateOf(const std::string& name) {
  State state;
  state.urn = UrnOf(name);
  state.type = "pkg:m:Typ";
  state.custom = true;
  state.id = name + "-id";
  return state;
}

inline StatePtr Share(State state) { return std::make_shared<const State>(std::move(state)); }

}  // namespace kingpost::plan_test
