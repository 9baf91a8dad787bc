// SPDX-License-Identifier: Apache-2.0
#include "base/chacha8.h"

#include <algorithm>
#include <limits>

namespace kingpost {

namespace {

constexpr int kLanes = 4;             // blocks made at once
constexpr uint32_t kCounterEnd = 16;  // blocks per key
constexpr size_t kKeyWords = 4;       // of the last four blocks: they become the next key

constexpr uint32_t kConstants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

uint32_t RotateLeft(uint32_t x, int n) { return x << n | x >> (32 - n); }

void QuarterRound(uint32_t* s, int a, int b, int c, int d) {
  s[a] += s[b], s[d] = RotateLeft(s[d] ^ s[a], 16);
  s[c] += s[d], s[b] = RotateLeft(s[b] ^ s[c], 12);
  s[a] += s[b], s[d] = RotateLeft(s[d] ^ s[a], 8);
  s[c] += s[d], s[b] = RotateLeft(s[b] ^ s[c], 7);
}

// One block; only the rows of the key have entropy that needs adding back.
std::array<uint32_t, 16> Block(const std::array<uint32_t, 8>& key, uint32_t counter) {
  std::array<uint32_t, 16> s{};
  std::copy(std::begin(kConstants), std::end(kConstants), s.begin());
  std::copy(key.begin(), key.end(), s.begin() + 4);
  s[12] = counter;
  for (int i = 0; i < 4; ++i) {
    for (int column = 0; column < 4; ++column) QuarterRound(s.data(), column, column + 4, column + 8, column + 12);
    for (int column = 0; column < 4; ++column) {
      QuarterRound(s.data(), column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4);
    }
  }
  for (size_t i = 0; i < key.size(); ++i) s[4 + i] += key[i];
  return s;
}

}  // namespace

ChaCha8::ChaCha8(const std::array<uint8_t, 32>& seed) {
  for (size_t i = 0; i < key_.size(); ++i) {
    key_[i] = seed[4 * i] | seed[4 * i + 1] << 8 | seed[4 * i + 2] << 16 | static_cast<uint32_t>(seed[4 * i + 3]) << 24;
  }
}

void ChaCha8::FillBlocks() {
  if (counter_ == kCounterEnd) {
    for (size_t i = 0; i < kKeyWords; ++i) {
      const uint64_t word = words_[words_.size() - kKeyWords + i];
      key_[2 * i] = static_cast<uint32_t>(word);
      key_[2 * i + 1] = static_cast<uint32_t>(word >> 32);
    }
    counter_ = 0;
  }
  // Row r of the four blocks stands in words 2r (blocks 0 and 1) and 2r + 1 (blocks 2 and 3).
  words_.fill(0);
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::array<uint32_t, 16> block = Block(key_, counter_ + lane);
    for (size_t row = 0; row < block.size(); ++row) {
      words_[2 * row + lane / 2] |= static_cast<uint64_t>(block[row]) << (lane % 2 * 32);
    }
  }
  counter_ += kLanes;
  next_ = 0;
  end_ = counter_ == kCounterEnd ? words_.size() - kKeyWords : words_.size();
}

uint64_t ChaCha8::Next() {
  if (next_ == end_) FillBlocks();
  return words_[next_++];
}

std::string ChaCha8::Bytes(size_t count) {
  while (rest_.size() < count) {
    const uint64_t word = Next();
    for (int shift = 0; shift < 64; shift += 8) rest_ += static_cast<char>(word >> shift);
  }
  std::string bytes = rest_.substr(0, count);
  rest_.erase(0, count);
  return bytes;
}

uint64_t ChaCha8::Below(uint64_t bound) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  const uint64_t end = kMax - kMax % bound;
  uint64_t word = Next();
  while (word >= end) word = Next();
  return word % bound;
}

}  // namespace kingpost
