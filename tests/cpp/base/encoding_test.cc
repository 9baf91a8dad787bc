// SPDX-License-Identifier: Apache-2.0
// Checks texts in quotes against those of Go's strconv.Quote.
#include "base/encoding.h"

#include <catch2/catch.hpp>

namespace kingpost::encoding_test {

TEST_CASE("a quoted text shows no character that is invisible or turns the direction of writing", "[encoding]") {
  CHECK(Quote("plain \"text\" \\") == R"("plain \"text\" \\")");
  CHECK(Quote("\x01\a\b\f\n\r\t\v\x7f") == R"("\x01\a\b\f\n\r\t\v\x7f")");
  CHECK(Quote("\u00a0\u200b\u202e\ufeff") == R"("\u00a0\u200b\u202e\ufeff")");
  CHECK(Quote("é\u00ad日😀\xff\u3000\u2066\ue000") == R"("é\u00ad日😀\xff\u3000\u2066\ue000")");
}

}  // namespace kingpost::encoding_test
