// SPDX-License-Identifier: Apache-2.0
// By how much a test may exceed its usual time: builds with sanitizers, which are Debug builds, are slow.
#pragma once

namespace kingpost {

#ifdef NDEBUG
inline constexpr int kPatience = 1;
#else
inline constexpr int kPatience = 10;
#endif

}  // namespace kingpost
