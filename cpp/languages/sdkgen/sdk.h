// SPDX-License-Identifier: Apache-2.0
// The SDK of a package as source files, in the languages that are written without a plugin. What it is called and how
// it is used is what programs know from the SDKs of published packages. Pure; any thread.
#pragma once

#include <map>
#include <string>

#include "base/status.h"
#include "languages/schema/package.h"

namespace kingpost::sdkgen {

using Files = std::map<std::string, std::string>;  // path in the SDK -> content

struct SdkOptions {
  bool local = false;  // used by one project, from a folder of it
  Files extra;         // written by hand, to be a part of it
};

Result<Files> PythonSdk(const schema::Package& package, const SdkOptions& options);
Result<Files> NodeSdk(const schema::Package& package, const SdkOptions& options);

// The names of SDKs where they are published and imported.
std::string PythonDistribution(const schema::Package& package);         // "pulumi_random"
std::string DefaultPythonDistribution(const schema::Package& package);  // where it names none
std::string NodeDistribution(const schema::Package& package);           // "@pulumi/random"

}  // namespace kingpost::sdkgen
