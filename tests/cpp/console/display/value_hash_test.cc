// SPDX-License-Identifier: Apache-2.0
#include "console/display/value_hash.h"

#include <catch2/catch.hpp>
#include <set>

namespace kingpost::value_hash_test {

Value List(std::initializer_list<Value> items) { return Value(Array(items)); }

TEST_CASE("equal values have equal hashes, secret or not, and these different ones have not") {
  const auto values = [] {
    return std::vector<Value>{Value(),
                              true,
                              false,
                              0,
                              1,
                              "",
                              "1",
                              List({}),
                              List({1}),
                              List({1, 2}),
                              List({2, 1}),
                              List({List({1}), 2}),
                              PropertyMap(),
                              PropertyMap{{"a", 1}},
                              PropertyMap{{"b", 1}},
                              PropertyMap{{"a", List({1})}}};
  };
  const std::vector<Value> some = values(), same = values();
  std::set<size_t> hashes;
  for (size_t i = 0; i < some.size(); ++i) {
    INFO(i);
    CHECK(HashOf(some[i]) == HashOf(same[i]));
    CHECK(HashOf(some[i]) == HashOf(Value::Secret(some[i])));
    hashes.insert(HashOf(some[i]));
  }
  CHECK(HashOf(0.0) == HashOf(-0.0));
  CHECK(hashes.size() == some.size());
}

}  // namespace kingpost::value_hash_test
