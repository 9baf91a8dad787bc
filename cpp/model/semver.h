// SPDX-License-Identifier: Apache-2.0
// Versions as MAJOR.MINOR.PATCH, with what may stand behind them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace kingpost {

// True if text is a semantic version MAJOR.MINOR.PATCH[-pre][+build].
bool IsSemver(std::string_view text);
// "1.2" -> "1.2.0", a leading v cut; "" if it cannot be read.
std::string TolerantSemver(std::string_view text);
// Negative, zero or positive as a is lower, equal or higher than b, by the rules of semantic versioning.
int CompareSemver(std::string_view a, std::string_view b);

}  // namespace kingpost
