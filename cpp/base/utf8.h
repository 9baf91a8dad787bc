// SPDX-License-Identifier: Apache-2.0
// The role of each byte of UTF-8.
#pragma once

namespace kingpost {

// Whether it goes on with a character that began before it.
inline bool IsUtf8Continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace kingpost
