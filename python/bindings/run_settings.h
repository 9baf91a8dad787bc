// SPDX-License-Identifier: Apache-2.0
// The arguments of kingpost/stack.py, as the settings of a run. Needs the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>
#include <vector>

#include "bindings/run.h"

namespace kingpost::python {

struct RunArguments {
  std::string operation;   // "update", "refresh", "destroy", "import"
  pybind11::dict options;  // all that stack.py's _options() has
  std::map<std::string, std::string> config;
  std::vector<std::string> secret_keys;
  pybind11::object program;  // a ProgramBridge, or None
  pybind11::dict providers;  // package: (ProviderBridge, methods it offers, version)
  pybind11::list policies;   // (name, PolicyBridge)
};

RunSettings SettingsOf(RunArguments arguments);

// (ProviderBridge, methods it offers, version), and (name, PolicyBridge)s.
ProviderPart PartOf(const pybind11::tuple& given, double timeout_s);
std::vector<std::pair<std::string, SharedObject>> PoliciesOf(const pybind11::list& given);

}  // namespace kingpost::python
