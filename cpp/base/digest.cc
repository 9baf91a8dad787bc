// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <openssl/evp.h>

#include "base/encoding.h"
#include "base/status.h"

namespace kingpost {

namespace {

// "" if the library refuses the algorithm.
std::string DigestOf(std::string_view bytes, const EVP_MD* algorithm) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (!EVP_Digest(bytes.data(), bytes.size(), digest, &size, algorithm, nullptr)) return "";
  return std::string(reinterpret_cast<const char*>(digest), size);
}

}  // namespace

struct Sha256::Context {
  EVP_MD_CTX* const evp = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(evp); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  KP_ASSERT(context_->evp && EVP_DigestInit_ex(context_->evp, EVP_sha256(), nullptr), "there is SHA-256");
}

Sha256::~Sha256() = default;

void Sha256::Update(std::string_view bytes) {
  KP_ASSERT(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()), "a digest takes any bytes until it is asked");
}

std::array<uint8_t, 32> Sha256::Digest() {
  std::array<uint8_t, 32> digest;
  KP_ASSERT(EVP_DigestFinal_ex(context_->evp, digest.data(), nullptr), "a digest is asked once");
  return digest;
}

std::string Sha256::HexDigest() {
  const std::array<uint8_t, 32> digest = Digest();
  return HexEncode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string Sha256Hex(std::string_view bytes) {
  const std::string digest = DigestOf(bytes, EVP_sha256());
  KP_ASSERT(!digest.empty(), "there is SHA-256");
  return HexEncode(digest);
}

std::string Sha1Hex(std::string_view bytes) {
  const std::string digest = DigestOf(bytes, EVP_sha1());
  KP_ASSERT(!digest.empty(), "there is SHA-1");
  return HexEncode(digest);
}

std::string Md5(std::string_view bytes) { return DigestOf(bytes, EVP_md5()); }

}  // namespace kingpost
