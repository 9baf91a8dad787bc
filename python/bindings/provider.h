// SPDX-License-Identifier: Apache-2.0
// A kingpost.Provider of Python behind the engine's seam. Loop thread.
#pragma once

#include "wire/wire.h"

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "bindings/call.h"
#include "kingpost/provider.h"
#include "wire/grpc_host.h"

namespace kingpost::python {

// The user's provider for a package.
struct ProviderPart {
  SharedObject bridge;           // a kingpost._bridge.ProviderBridge
  std::set<std::string> offers;  // methods that not every provider has: "construct", "check_config"
  std::string version;
  double timeout_s = 0;  // of each call; 0: none
};

// Where components find the monitor and the engine.
using AskMonitor = std::function<Result<ProgramAddresses>()>;

ProviderPtr NewPythonProvider(PythonCalls& calls, ProviderPart part, std::string package, AskMonitor monitor);

}  // namespace kingpost::python
