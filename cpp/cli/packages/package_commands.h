// SPDX-License-Identifier: Apache-2.0
// The commands of packages/.
#pragma once

#include "cli/session/command.h"

namespace kingpost {

void AddPackageCommands(Commands* commands);     // package get-schema, get-mapping, gen-sdk
void AddPackageInfoCommand(Commands* commands);  // package info
void AddPackageAddCommand(Commands* commands);   // package add
void AddSchemaCommands(Commands* commands);      // schema check
void AddInstallCommand(Commands* commands);

}  // namespace kingpost
