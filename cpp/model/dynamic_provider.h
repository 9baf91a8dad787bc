// SPDX-License-Identifier: Apache-2.0
// The providers whose resources are written inside the program itself.
#pragma once

#include <string_view>

namespace kingpost {

inline constexpr std::string_view kPythonDynamicProvider = "pulumi-python";
inline constexpr std::string_view kNodeDynamicProvider = "pulumi-nodejs";

inline bool IsDynamicProvider(std::string_view package) {
  return package == kPythonDynamicProvider || package == kNodeDynamicProvider;
}

}  // namespace kingpost
