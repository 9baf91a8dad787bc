// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/signatures.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>

#include <algorithm>
#include <memory>

#include "base/encoding.h"

namespace kingpost {

namespace {

const unsigned char* Raw(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }
unsigned char* Raw(std::string& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

}  // namespace

std::string HmacSha256(std::string_view key, std::string_view bytes) {
  std::string mac(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  const auto* made =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Raw(bytes), bytes.size(), Raw(mac), &size);
  KP_ASSERT(made != nullptr, "OpenSSL has its HMAC");
  mac.resize(size);
  return mac;
}

Result<std::string> SignRs256(const std::string& private_key_pem, std::string_view bytes) {
  const std::unique_ptr<BIO, FreeWith<BIO_free_all>> pem(
      BIO_new_mem_buf(private_key_pem.data(), static_cast<int>(private_key_pem.size())));
  const std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>> key(
      pem ? PEM_read_bio_PrivateKey(pem.get(), nullptr, nullptr, nullptr) : nullptr);
  if (!key) return Status(Code::kInvalidArgument, "the private key is not one in PEM");
  const std::unique_ptr<EVP_MD_CTX, FreeWith<EVP_MD_CTX_free>> context(EVP_MD_CTX_new());
  size_t size = 0;
  bool done = context && EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
              EVP_DigestSign(context.get(), nullptr, &size, Raw(bytes), bytes.size()) == 1;
  std::string signature(size, '\0');
  done = done && EVP_DigestSign(context.get(), Raw(signature), &size, Raw(bytes), bytes.size()) == 1;
  if (!done) return Status(Code::kInvalidArgument, "the private key cannot sign with SHA-256");
  signature.resize(size);
  return signature;
}

std::string Base64UrlEncode(std::string_view bytes) {
  std::string text = Base64Encode(bytes);
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  text.erase(std::find(text.begin(), text.end(), '='), text.end());
  return text;
}

std::string Base64UrlToStandard(std::string text) {
  std::replace(text.begin(), text.end(), '-', '+');
  std::replace(text.begin(), text.end(), '_', '/');
  text.erase(std::find(text.begin(), text.end(), '='), text.end());
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

}  // namespace kingpost
