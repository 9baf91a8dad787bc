// SPDX-License-Identifier: Apache-2.0
// Whether a program that has never run will ask for a dynamic provider. No description of its dependencies says so.
#pragma once

#include <optional>
#include <string>

#include "workspace/project.h"

namespace kingpost {

// The package of that provider if a source file in the program's folder, which is not searched any deeper, names a
// class of `pulumi.dynamic`. A guess, for what may be begun early. Reads files; any thread.
std::optional<std::string> GuessDynamicProvider(const Project& project);

}  // namespace kingpost
