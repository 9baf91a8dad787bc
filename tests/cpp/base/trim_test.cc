// SPDX-License-Identifier: Apache-2.0
#include "base/trim.h"

#include <catch2/catch.hpp>

namespace kingpost::trim_test {

TEST_CASE("blanks go from both ends of a text, and stay inside") {
  CHECK(Trimmed(" \t two  words\r\n\v\f") == "two  words");
  CHECK(Trimmed("word") == "word");
  CHECK(Trimmed("").empty());
  CHECK(Trimmed(" \n").empty());
}

}  // namespace kingpost::trim_test
