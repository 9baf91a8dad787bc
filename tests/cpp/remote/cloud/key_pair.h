// SPDX-License-Identifier: Apache-2.0
// A private key for a test, which verifies its own signatures.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <string>

namespace kingpost::testing {

struct KeyPair {
  KeyPair() : key(EVP_RSA_gen(2048)) {}
  ~KeyPair() { EVP_PKEY_free(key); }
  std::string Pem() const {
    BIO* memory = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey(memory, key, nullptr, nullptr, 0, nullptr, nullptr);
    char* text = nullptr;
    const long size = BIO_get_mem_data(memory, &text);
    std::string pem(text, static_cast<size_t>(size));
    BIO_free(memory);
    return pem;
  }
  bool Signed(const std::string& text, const std::string& signature) const {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    EVP_DigestVerifyInit(context, nullptr, EVP_sha256(), nullptr, key);
    const int right =
        EVP_DigestVerify(context, reinterpret_cast<const unsigned char*>(signature.data()), signature.size(),
                         reinterpret_cast<const unsigned char*>(text.data()), text.size());
    EVP_MD_CTX_free(context);
    return right == 1;
  }
  EVP_PKEY* key;
};

}  // namespace kingpost::testing
