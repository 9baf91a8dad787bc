// SPDX-License-Identifier: Apache-2.0
// The names of a package's SDKs where they are published and imported. Pure.
#pragma once

#include <string>

#include "languages/schema/package.h"

namespace kingpost::sdkgen {

std::string PythonDistribution(const schema::Package& package);         // "pulumi_random"
std::string DefaultPythonDistribution(const schema::Package& package);  // where it names none
std::string NodeDistribution(const schema::Package& package);           // "@pulumi/random"

}  // namespace kingpost::sdkgen
