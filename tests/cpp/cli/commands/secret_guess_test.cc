// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/secret_guess.h"

#include <catch2/catch.hpp>

namespace kingpost::secret_guess_test {

TEST_CASE("a value that is hard to guess under the name of a secret looks like a secret", "[cli][config]") {
  struct Row {
    const char *key, *value;
    bool is_secret;
  };
  const Row row = GENERATE(values<Row>({
      {"token", "1415fc1f4eaeb5e096ee58c1480016638fff29bf", true},
      {"apiToken", "1415fc1f4eaeb5e096ee58c1480016638fff29bf", true},
      {"DB_PASSWD", "vF8!kq2#Zt0x", true},
      {"a.password", "Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg==", true},
      {"pwd", "x9Kd82nQp", true},
      // The name is not that of a secret, so the value does not matter.
      {"okay", "1415fc1f4eaeb5e096ee58c1480016638fff29bf", false},
      {"", "1415fc1f4eaeb5e096ee58c1480016638fff29bf", false},
      // The value is easy to guess, or names the place of a secret.
      {"password", "", false},
      {"password", "abc", false},
      {"dbPassword", "hunter2hunter2", false},
      {"passwordLength", "24", false},
      {"tokenIssuer", "production", false},
      {"secretName", "aaaaaaaaaaaaaaaaaaaaaaaa", false},
      {"tokenAccount", "352995459542785864574961395061964307", false},
  }));
  INFO(row.key << " = " << row.value);
  CHECK(LooksLikeSecret(row.key, row.value) == row.is_secret);
}

}  // namespace kingpost::secret_guess_test
