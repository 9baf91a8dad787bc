// SPDX-License-Identifier: Apache-2.0
// The marks of special objects, in state files and on the wire (rows 7.5 to 7.8, 8.3).
#pragma once

#include <string_view>

namespace kingpost::signatures {

inline constexpr std::string_view kKey = "4dabf18193072939515e22adb298388d";
inline constexpr std::string_view kSecret = "1b47061264138c4ac30d75fd1eb44270";
inline constexpr std::string_view kAsset = "c44067f5952c0a294b673a41bacd8c17";
inline constexpr std::string_view kArchive = "0def7320c3a5731c473e5ecbe6d01bc7";
inline constexpr std::string_view kReference = "5cf8f73096256a8f31e491e813e4eb8e";
inline constexpr std::string_view kOutput = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
inline constexpr std::string_view kByteString = "803fd3297a5875dc03ca845dda5d2a98";
// NaN and the infinities; in state files only.
inline constexpr std::string_view kNonFiniteNumber = "8ad145fe-0d11-4827-bfd7-1abcbf086f5c";

}  // namespace kingpost::signatures
