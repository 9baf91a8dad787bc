// SPDX-License-Identifier: Apache-2.0
// Durations as Go writes them: "1h30m", "90s", "1.5m", "300ms".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kingpost {

std::optional<double> ParseGoDuration(std::string_view text);  // seconds; nullopt if it is none
std::string FormatGoDuration(double seconds);                  // "" for 0

}  // namespace kingpost
