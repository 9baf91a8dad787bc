// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <catch2/catch.hpp>
#include <set>

namespace kingpost::text_test {

TEST_CASE("texts are put together") {
  using Texts = std::vector<std::string>;
  CHECK(Joined(Texts{}, ", ") == "");
  CHECK(Joined(Texts{"", "a", ""}, ",") == ",a,");
  CHECK(Joined(std::set<int>{2, 1}, "+", [](int number) { return std::to_string(number); }) == "1+2");
}

TEST_CASE("texts are taken apart, into empty parts among others") {
  using Texts = std::vector<std::string>;
  CHECK(Split("", ':') == Texts{""});
  CHECK(Split("a::b:", ':') == Texts{"a", "", "b", ""});
}

TEST_CASE("what replaces a part of a text is not looked into") {
  CHECK(Replaced("a-b--", "-", "--") == "a--b----");
  CHECK(Replaced("aaa", "aa", "") == "a");
}

TEST_CASE("only letters of ASCII are lowered") { CHECK(Lowered("AbZ_\xC3\x84") == "abz_\xC3\x84"); }

}  // namespace kingpost::text_test
