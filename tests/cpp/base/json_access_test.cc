// SPDX-License-Identifier: Apache-2.0
// Checks that reading JSON of others never throws, whatever the JSON is.
#include "base/json_access.h"

#include <catch2/catch.hpp>

namespace kingpost {

TEST_CASE("a field of another kind than expected reads as nothing") {
  const std::string kinds[] = {"null",     "true", "1.5",         "-3", "18446744073709551615",
                               "\"text\"", "[1]",  R"({"a": 1})", "{"};
  for (const std::string& kind : kinds) {
    INFO(kind);
    const auto value = ParseJson(kind);
    const nlohmann::json object = {{"f", value.is_discarded() ? nlohmann::json() : value}};
    CHECK(TextOf(object, "f") == (kind == "\"text\"" ? "text" : ""));
    CHECK(BoolOf(object, "f") == (kind == "true"));
    CHECK(BoolOf(object, "f", true));
    CHECK(IntegerOf(object, "f") == (kind == "-3" ? -3 : kind == "1.5" ? 1 : 0));
    CHECK(ListOf(object, "f").size() == (kind == "[1]" ? 1 : 0));
    CHECK(ObjectOf(object, "f").size() == (kind[0] == '{' && kind.size() > 1 ? 1 : 0));
    // The value itself in place of the object.
    CHECK(TextOf(value, "f") == "");
    CHECK(FieldOf(value, "f") == nullptr);
    CHECK(ListOf(value, "f").empty());
  }
  CHECK(NumberIn(ParseJson("18446744073709551615")) == 18446744073709551615.0);
}

TEST_CASE("documents that nest too deep are not read") {
  const auto nested = [](int levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  CHECK_FALSE(ParseJson(nested(kJsonNestingMax)).is_discarded());
  CHECK(ParseJson(nested(kJsonNestingMax + 1)).is_discarded());
  CHECK(ParseJson(nested(1000000)).is_discarded());
  CHECK_FALSE(NestsTooDeep("\"" + std::string(5000, '[') + "\\\"" + std::string(5000, '[') + "\""));
}

}  // namespace kingpost
