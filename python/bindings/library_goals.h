// SPDX-License-Identifier: Apache-2.0
// A program that is a list of goals, registered one after the other without an SDK. Its host has no process and
// no server, and its providers are Python objects. Loop thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/loop.h"
#include "bindings/provider.h"
#include "bindings/python_object.h"
#include "kingpost/plugin_host.h"

namespace kingpost::python {

// Values in inputs that stand for an output of an earlier goal: references with this package version, the number of
// the goal as URN and the property path as ID.
inline constexpr char kGoalOutput[] = "kingpost:goal-output";

struct PlannedGoal {
  RegisterResourceRequest request;  // what names another goal ("#0") still does
};

struct GoalProgram {
  std::vector<PlannedGoal> goals;
  PropertyMap outputs;                                         // of the stack
  std::map<std::string, ProviderPart> providers;               // by package; "*" serves the others
  std::vector<std::pair<std::string, SharedObject>> policies;  // name of the pack: a kingpost._bridge.PolicyBridge
};

std::unique_ptr<PluginHost> NewGoalHost(Loop& loop, GoalProgram program);

}  // namespace kingpost::python
