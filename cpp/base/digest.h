// SPDX-License-Identifier: Apache-2.0
// Digests, by OpenSSL: SHA-256 for manifests, content and the identity of documents. SHA-1 and MD5 exist for formats
// and languages that ask for them; neither withstands an attack. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kingpost {

// Digests data that arrives in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;

  void Update(std::string_view bytes);
  // The digest of all that was given; the object is spent afterwards.
  std::array<uint8_t, 32> Digest();
  std::string HexDigest();

 private:
  struct Context;
  const std::unique_ptr<Context> context_;
};

// Lower-case hex.
std::string Sha256Hex(std::string_view bytes);
std::string Sha1Hex(std::string_view bytes);

std::string Md5(std::string_view bytes);  // 16 bytes; "" where the machine's policy forbids MD5

}  // namespace kingpost
