// SPDX-License-Identifier: Apache-2.0
// State in PostgreSQL keeps the contract of stores; see tests/cpp/remote/blob/postgres_test.cc for when it runs.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "support/store_contract.h"

namespace kingpost::postgres_store_test {

TEST_CASE("PostgreSQL keeps the contract of stores", "[postgres]") {
  const char* url = std::getenv("KINGPOST_TEST_POSTGRES");
  if (!url) return;
  auto store = OpenStore(std::string(url) + "&table=stores");
  REQUIRE(store.status().message() == "");
  store_contract::CheckStoreContract(std::move(**store));
}

}  // namespace kingpost::postgres_store_test
