// SPDX-License-Identifier: Apache-2.0
// See aes_gcm.h.
#include "secrets/aes_gcm.h"

#include <openssl/evp.h>

#include <memory>

#include "base/encoding.h"
#include "base/random_bytes.h"

namespace kingpost {
namespace {

constexpr size_t kNonceSize = 12;
constexpr size_t kTagSize = 16;

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

const unsigned char* Bytes(const std::string& text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* Bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

Status BadValue(const std::string& why) { return {Code::kInvalidArgument, "bad value: " + why}; }

}  // namespace

Result<std::string> SealText(const std::string& plaintext, const SecretKey& key) {
  const std::string nonce = RandomBytes(kNonceSize);
  std::string sealed(plaintext.size() + kTagSize, '\0');
  const Context context(EVP_CIPHER_CTX_new());
  int size = 0, tail = 0;
  const bool done =
      context && EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), Bytes(nonce)) &&
      EVP_EncryptUpdate(context.get(), Bytes(sealed), &size, Bytes(plaintext), int(plaintext.size())) &&
      EVP_EncryptFinal_ex(context.get(), Bytes(sealed) + size, &tail) &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kTagSize, Bytes(sealed) + plaintext.size());
  if (!done) {
    return Status(
        Code::kInternal,
        "OpenSSL could not encrypt a secret with AES-256-GCM: check its configuration (a FIPS mode, for example)");
  }
  return "v1:" + Base64Encode(nonce) + ":" + Base64Encode(sealed);
}

Result<std::string> OpenText(const std::string& text, const SecretKey& key) {
  const size_t first = text.find(':');
  const size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos || text.find(':', second + 1) != std::string::npos) {
    return BadValue("an encrypted value has three parts, v1:NONCE:CIPHERTEXT");
  }
  if (text.compare(0, first, "v1") != 0) return Status(Code::kInvalidArgument, "unknown value version");
  const auto nonce = Base64Decode(std::string_view(text).substr(first + 1, second - first - 1));
  auto sealed = Base64Decode(std::string_view(text).substr(second + 1));
  if (!nonce || !sealed) return BadValue("illegal base64 data in an encrypted value");
  if (nonce->size() != kNonceSize) return BadValue("nonce size is incorrect");
  if (sealed->size() < kTagSize) return BadValue("an encrypted value is cut short");

  std::string tag = sealed->substr(sealed->size() - kTagSize);
  sealed->resize(sealed->size() - kTagSize);
  std::string plaintext(sealed->size(), '\0');
  const Context context(EVP_CIPHER_CTX_new());
  int size = 0, tail = 0;
  const bool done = context &&
                    EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), Bytes(*nonce)) &&
                    EVP_DecryptUpdate(context.get(), Bytes(plaintext), &size, Bytes(*sealed), int(sealed->size())) &&
                    EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, kTagSize, Bytes(tag)) &&
                    EVP_DecryptFinal_ex(context.get(), Bytes(plaintext) + size, &tail);
  if (!done) {
    return Status(Code::kFailedPrecondition,
                  "a secret could not be decrypted: it was encrypted with another key, or it was altered");
  }
  return plaintext;
}

}  // namespace kingpost
