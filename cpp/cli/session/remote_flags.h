// SPDX-License-Identifier: Apache-2.0
// The flags of operations that Pulumi Cloud would run. The SDKs' remote workspaces look for them before anything else;
// a user who gives one gets the reason why it has no effect here.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/session/flags.h"

namespace kingpost {

struct RemoteFlags {
  bool given = false;  // one of the switches
  std::string address;
  std::vector<std::string> values;
};

// Does nothing unless PULUMI_EXPERIMENTAL is true, as with Pulumi. `address` is the command's own argument.
void DeclareRemoteFlags(Flags* flags, RemoteFlags* values);

// Refuses them all.
Status CheckRemoteFlags(const RemoteFlags& values);

}  // namespace kingpost
