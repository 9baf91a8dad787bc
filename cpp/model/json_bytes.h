// SPDX-License-Identifier: Apache-2.0
// Strings of JSON eight bytes at a time: most of a document is inside of quotes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace kingpost {

// How many bytes from `at` on stand for themselves between quotes: ASCII, no quote, no backslash, no control character.
inline const char* SkipPlainBytes(const char* at, const char* end) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighs = kOnes << 7;
  static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");
  // The lowest high bit that is set marks the first byte found; those above it may be wrong.
  const auto zeros = [](uint64_t bytes) { return (bytes - kOnes) & ~bytes; };
  while (end - at >= 8) {
    uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    const uint64_t controls = (bytes - kOnes * 0x20) & ~bytes;
    const uint64_t found = (zeros(bytes ^ kOnes * '"') | zeros(bytes ^ kOnes * '\\') | controls | bytes) & kHighs;
    if (found) return at + std::countr_zero(found) / 8;
    at += 8;
  }
  const auto is_plain = [](char c) { return c >= 0x20 && c != '"' && c != '\\'; };
  while (at != end && is_plain(*at)) ++at;
  return at;
}

}  // namespace kingpost
