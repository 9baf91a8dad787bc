// SPDX-License-Identifier: Apache-2.0
#include "base/large_text.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace kingpost::large_text_test {

TEST_CASE("room for a text of any size leaves the text as it is, and is not moved when it is filled") {
  for (const size_t size : {size_t{0}, size_t{100}, size_t{5} << 20, size_t{40} << 20}) {
    std::string text = "begun";
    ReserveText(size, &text);
    CHECK(text == "begun");
    REQUIRE(text.capacity() >= size);
    const char* place = text.data();
    text.resize(std::max(size, text.size()), 'x');
    CHECK(text.data() == place);
    CHECK(text.substr(0, 5) == "begun");
    CHECK(text.find_first_not_of('x', 5) == std::string::npos);
  }
}

}  // namespace kingpost::large_text_test
