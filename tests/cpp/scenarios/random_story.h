// SPDX-License-Identifier: Apache-2.0
// Random stories: the acts on a stack, until it comes to rest and is destroyed.
#pragma once

#include "scenarios/random_programs.h"

namespace kingpost::scenarios {

// The acts at the end of each: settle, preview, again, again, refresh, preview, destroy.
inline constexpr size_t kRestActs = 7;

std::vector<Json> TellStory(unsigned seed);

bool Contains(const std::string& text, const std::string& part);

}  // namespace kingpost::scenarios
