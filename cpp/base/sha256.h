// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for manifests, content hashes and the identity of documents. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace kingpost {

class Sha256 {
 public:
  void Update(std::string_view bytes);
  // The digest of all that was given; the object is spent afterwards.
  std::array<uint8_t, 32> Digest();

 private:
  void Block(const uint8_t* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending_ = {};
  size_t pending_size_ = 0;
  uint64_t total_ = 0;
};

// Lower-case hex.
std::string Sha256Hex(std::string_view bytes);

}  // namespace kingpost
