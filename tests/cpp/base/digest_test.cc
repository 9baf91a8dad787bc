// SPDX-License-Identifier: Apache-2.0
// Digests against the examples of their standards (FIPS 180-4, RFC 1321).
#include "base/digest.h"

#include <catch2/catch.hpp>

#include "base/encoding.h"

namespace kingpost::digest_test {

TEST_CASE("digests are those of the standards' examples") {
  CHECK(Sha256Hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(Sha256Hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sha1Hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(HexEncode(Md5("abc")) == "900150983cd24fb0d6963f7d28e17f72");
}

TEST_CASE("SHA-256 gives the digests of its standard") {
  CHECK(Sha256Hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sha256Hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(Sha256Hex(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  for (size_t size : {55u, 56u, 63u, 64u, 119u, 120u}) {  // every way to pad, whole and in pieces
    const std::string text(size, 'x');
    Sha256 pieces;
    for (char c : text) pieces.Update(std::string_view(&c, 1));
    Sha256 whole;
    whole.Update(text);
    CHECK(pieces.Digest() == whole.Digest());
  }
}

}  // namespace kingpost::digest_test
