// SPDX-License-Identifier: Apache-2.0
#include "base/wait_scope.h"

#include <catch2/catch.hpp>

namespace kingpost::wait_scope_test {

TEST_CASE("the longest wait is the one that began first and has not ended", "[base]") {
  CHECK_FALSE(LongestWait());
  {
    const WaitScope first("first");
    {
      const WaitScope second("second");
      CHECK(LongestWait()->what == "first");
    }
    CHECK(LongestWait()->since <= std::chrono::steady_clock::now());
  }
  CHECK_FALSE(LongestWait());
}

}  // namespace kingpost::wait_scope_test
