// SPDX-License-Identifier: Apache-2.0
// Checks the reading of extensions from states, which anyone may have edited.
#include "engine/providers/extension.h"

#include <catch2/catch.hpp>

namespace kingpost::extension_test {

using providers::ParseExtension;

TEST_CASE("a recorded extension comes back as it was") {
  const Parameterization extension{"pkg", "1.2.3", std::string("\0bytes", 6)};
  const auto back = ParseExtension(providers::ExtensionJson(extension));
  REQUIRE(back.ok());
  CHECK((back->name == "pkg" && back->version == "1.2.3" && back->value == extension.value));
}

TEST_CASE("a recorded extension of another shape is an error, and no end of the process") {
  for (const char* text : {"", "null", "[]", "7", "{", R"({"name":"n","version":"1","value":"*"})"}) {
    INFO(text);
    CHECK_FALSE(ParseExtension(text).ok());
  }
  for (const char* text : {R"({"name":"n","version":"1","value":null})", R"({"name":7,"version":[],"value":{}})"}) {
    INFO(text);
    const auto parsed = ParseExtension(text);
    REQUIRE(parsed.ok());
    CHECK(parsed->value.empty());
  }
}

}  // namespace kingpost::extension_test
