// SPDX-License-Identifier: Apache-2.0
// Ranges of semantic versions, as requiredPulumiVersion and RequirePulumiVersion state them (row 9.8):
//   ">=3.5.0 !3.7.7"      both: a space means and
//   "<3.4.0 || >3.8.0"    either
//   "3.x", ">=3.2.x"      a final x stands for any number
// Comparisons are < <= > >= = == != ! and none (equal). Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost {

Result<bool> IsInVersionRange(std::string_view version, std::string_view range);

// The version of Pulumi whose behaviour this engine has, and which programs' demands are measured against.
inline constexpr char kPulumiVersion[] = "3.274.1";

// OK if kPulumiVersion is in the range, or the range is empty. The texts are the reference's.
Status RequirePulumiVersion(const std::string& range);

}  // namespace kingpost
