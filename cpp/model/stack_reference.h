// SPDX-License-Identifier: Apache-2.0
// The resource by which a program reads the outputs of another stack. The engine itself provides it.
#pragma once

#include <string_view>

namespace kingpost {

inline constexpr std::string_view kStackReferenceType = "pulumi:pulumi:StackReference";

}  // namespace kingpost
