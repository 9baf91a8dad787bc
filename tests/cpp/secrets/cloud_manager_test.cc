// SPDX-License-Identifier: Apache-2.0
// Checks what a stack keeps of a key service, without calling one. With services: tests/py/test_key_services.py.
#include "secrets/cloud_manager.h"

#include <catch2/catch.hpp>

namespace kingpost::cloud_manager_test {

TEST_CASE("a key service's state equals the reference's byte for byte", "[secrets]") {
  const CloudSecrets secrets{"awskms://k?region=r&context_a=<b>", "Y2lwaGVy"};
  const auto manager = CloudManager::Open(secrets);
  REQUIRE(manager.ok());
  CHECK((*manager)->type() == "cloud");
  CHECK((*manager)->state() ==
        R"({"url":"awskms://k?region=r\u0026context_a=\u003cb\u003e","encryptedkey":"Y2lwaGVy"})");
  CHECK(CloudSecretsOf(**manager).url == secrets.url);
  CHECK(CloudSecretsOf(**manager).encrypted_key == secrets.encrypted_key);
}

TEST_CASE("a state that was read is written as it was", "[secrets]") {
  const std::string state = R"({"encryptedkey":"Y2lwaGVy","url":"hashivault://k&"})";
  const auto manager = OpenSecretsManager("cloud", state, nullptr);
  REQUIRE(manager.ok());
  CHECK((*manager)->state() == state);
}

TEST_CASE("a state that names no key is refused", "[secrets]") {
  for (const char* state :
       {"{}", "null", R"({"url":"hashivault://k"})", R"({"url":"hashivault://k","encryptedkey":"?"})",
        R"({"url":"rot13://k","encryptedkey":"Y2lwaGVy"})"}) {
    INFO(state);
    CHECK_FALSE(OpenSecretsManager("cloud", state, nullptr).ok());
  }
}

}  // namespace kingpost::cloud_manager_test
