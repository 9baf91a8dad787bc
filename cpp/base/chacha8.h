// SPDX-License-Identifier: Apache-2.0
// ChaCha8Rand (https://c2sp.org/chacha8rand), the generator of Go's math/rand/v2: names made from one seed here and
// by Pulumi are the same. Not thread-safe; makes no names that must be hard to guess without a secret seed.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace kingpost {

class ChaCha8 {
 public:
  explicit ChaCha8(const std::array<uint8_t, 32>& seed);

  uint64_t Next();
  // Bytes of as many words as it takes; the rest of the last word begins the next call's bytes.
  std::string Bytes(size_t count);
  // Uniform in [0, bound), without bias.
  uint64_t Below(uint64_t bound);

 private:
  void FillBlocks();

  std::array<uint32_t, 8> key_;
  std::array<uint64_t, 32> words_;  // four blocks, interleaved
  uint32_t counter_ = 0;
  size_t next_ = 0, end_ = 0;  // of words_
  std::string rest_;           // of a word that Bytes took in part
};

}  // namespace kingpost
