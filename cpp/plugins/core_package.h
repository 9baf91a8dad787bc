// SPDX-License-Identifier: Apache-2.0
// The package `pulumi`: the resources that the engine itself provides, for plugins of languages that write programs.
// SDKs have them built in, so nobody else asks.
#pragma once

#include <string>

namespace kingpost {

inline constexpr char kCorePackage[] = "pulumi";

// As JSON.
std::string CorePackageSchema();

}  // namespace kingpost
