// SPDX-License-Identifier: Apache-2.0
#include "base/waiting.h"

#include <catch2/catch.hpp>

namespace kingpost::waiting_test {

TEST_CASE("the longest wait is the one that began first and has not ended", "[base]") {
  CHECK_FALSE(LongestWait());
  {
    const Waiting first("first");
    {
      const Waiting second("second");
      CHECK(LongestWait()->what == "first");
    }
    CHECK(LongestWait()->since <= std::chrono::steady_clock::now());
  }
  CHECK_FALSE(LongestWait());
}

}  // namespace kingpost::waiting_test
