// SPDX-License-Identifier: Apache-2.0
// Property paths: texts, access, and resets for ignoreChanges.
#include "model/property_path.h"

#include <catch2/catch.hpp>

#include "model/deployment_json.h"
#include "model/fake_secrets.h"

namespace kingpost::property_path_test {

Value Json(const std::string& text) {
  const auto value = DecodeValue(text, Urn(), {});
  REQUIRE(value.status().message() == "");
  return *value;
}

std::string Text(const Value& value) {
  EncodeOptions options;
  options.show_secrets = true;
  return *EncodeValue(value, Urn(), options);
}

std::string Printed(const std::string& text) {
  const auto path = PropertyPath::Parse(text);
  return path.ok() ? path->str() : "error: " + path.status().message();
}

// S(1) in a text stands for a secret 1.
std::string Secrets(std::string text) {
  for (size_t at; (at = text.find("S(")) != std::string::npos;) {
    const size_t end = text.find(')', at);
    const std::string plain = text.substr(at + 2, end - at - 2);
    text.replace(
        at, end + 1 - at,
        R"({"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":")" + plain + "\"}");
  }
  return text;
}

std::string Reset(const std::string& path, const std::string& old_json, const std::string& goal_json) {
  Value partial;
  const auto parsed = PropertyPath::Parse(path);
  REQUIRE(parsed.ok());
  const auto value = parsed->Reset(Json(Secrets(old_json)), Json(Secrets(goal_json)), &partial);
  return value ? Text(*value) : "failed: " + Text(partial);
}

TEST_CASE("property paths read and print as the reference has them") {
  CHECK(Printed("root") == "root");
  CHECK(Printed("root.double.nest") == "root.double.nest");
  CHECK(Printed("root[\"double\"].nest") == "root.double.nest");
  CHECK(Printed("root.array[0][1].nested") == "root.array[0][1].nested");
  CHECK(Printed(R"(["root key with \"escaped\" quotes"].nested)") == R"(["root key with \"escaped\" quotes"].nested)");
  CHECK(Printed("[\"root key with a .\"][100]") == "[\"root key with a .\"][100]");
  CHECK(Printed("root.array[*].field") == "root.array[\"*\"].field");
  CHECK(Printed("*") == "[\"*\"]");
  CHECK(Printed("foo-bar.\xC3\xA9") == "[\"foo-bar\"][\"\xC3\xA9\"]");
  CHECK(Printed("a.[0]") == "a[0]");
  CHECK(Printed("") == "");
  CHECK(Printed(".a") == "error: expected property path to start with a name or index");
  CHECK(Printed("a.") == "error: expected property path to end with a name or index");
  CHECK(Printed("a[\"b") == "error: missing closing quote in property name");
  CHECK(Printed("a[\"b\"") == "error: missing closing bracket in property access");
  CHECK(Printed("a[1") == "error: missing closing bracket in array index");
  CHECK(Printed("a[b]").find("error: invalid array index") == 0);
}

TEST_CASE("a path contains those that begin like it") {
  const auto contains = [](const char* a, const char* b) {
    return PropertyPath::Parse(a)->Contains(*PropertyPath::Parse(b));
  };
  CHECK(contains("foo[\"bar\"][1]", "foo.bar[1].baz"));
  CHECK(contains("foo.*.baz", "foo.bar.baz.bam"));
  CHECK(contains("*", "a[0]"));
  CHECK(contains("a[*]", "a[3]"));
  CHECK_FALSE(contains("a.b", "a"));
  CHECK_FALSE(contains("a.b", "a.c"));
  CHECK_FALSE(contains("a[0]", "a.b"));
}

TEST_CASE("gets, sets and deletes along a path, through secrets") {
  const Value root = Json(Secrets(R"({"a":{"b":[1,2]},"s":S({\"x\":[1]})})"));
  const auto path = [](const char* text) { return *PropertyPath::Parse(text); };
  CHECK(path("a.b[1]").Get(root)->as_number() == 2);
  CHECK(path("s.x[0]").Get(root)->as_number() == 1);
  CHECK(path("a.b[2]").Get(root) == nullptr);
  CHECK(path("a.b.c").Get(root) == nullptr);
  CHECK(path("a.*").Get(root) == nullptr);

  const Value small = Json(R"({"a":[1]})");
  CHECK(Text(*path("a[0]").Set(small, "x")) == R"({"a":["x"]})");
  CHECK(Text(*path("a[1]").Set(small, "x")) == R"({"a":[1,"x"]})");
  CHECK_FALSE(path("a[2]").Set(small, "x"));
  CHECK(Text(*path("b.c.d").Set(small, 1)) == R"({"a":[1],"b":{"c":{"d":1}}})");
  CHECK_FALSE(path("a.c").Set(small, 1));
  CHECK_FALSE(path("a[0].c").Set(small, 1));
  CHECK(path("s.x[0]").Set(root, 5)->as_object().Find("s")->is_secret());

  CHECK(Text(*path("a").Delete(small)) == "{}");
  CHECK(Text(*path("a[0]").Delete(small)) == R"({"a":[null]})");
  CHECK_FALSE(path("a[1]").Delete(small));
  CHECK_FALSE(path("b.c").Delete(small));
}

TEST_CASE("resets a leaf to its old value") {
  CHECK(Reset("a", R"({"a":1})", R"({"a":2,"b":3})") == R"({"a":1,"b":3})");
  CHECK(Reset("a", R"({"a":1})", "{}") == R"({"a":1})");
  CHECK(Reset("a", "{}", R"({"a":2})") == "{}");
  CHECK(Reset("a", "{}", "{}") == "{}");
  CHECK(Reset("a.b", R"({"a":{"b":1}})", R"({"a":{"b":2,"c":3}})") == R"({"a":{"b":1,"c":3}})");
  CHECK(Reset("a.b", R"({"a":{"b":1}})", "{}") == "failed: {}");
  CHECK(Reset("a.b", "{}", R"({"a":{"b":1}})") == R"({"a":{}})");
  CHECK(Reset("a.b", R"({"a":{"b":1}})", R"({"a":5})") == R"(failed: {"a":5})");
  CHECK(Reset("a.b", R"({"a":7})", R"({"a":5})") == R"({"a":5})");
  CHECK(Reset("a.b.c", R"({"a":7})", R"({"a":{"b":1}})") == R"(failed: {"a":{"b":1}})");
}

TEST_CASE("resets array elements, but neither adds nor removes them") {
  CHECK(Reset("a[0]", R"({"a":[1,2]})", R"({"a":[3]})") == R"({"a":[1]})");
  CHECK(Reset("a[1]", R"({"a":[1,2]})", R"({"a":[3]})") == R"(failed: {"a":[3]})");
  CHECK(Reset("a[1]", R"({"a":[1]})", R"({"a":[3,4]})") == R"(failed: {"a":[3,4]})");
  CHECK(Reset("a[5]", R"({"a":[1]})", R"({"a":[3]})") == R"({"a":[3]})");
  CHECK(Reset("a[5].x", R"({"a":[1]})", R"({"a":[3]})") == R"(failed: {"a":[3]})");
  CHECK(Reset("a[-1]", R"({"a":[1]})", R"({"a":[3]})") == R"(failed: {"a":[3]})");
  CHECK(Reset("a[0]", R"({"a":1})", R"({"a":2})") == R"({"a":2})");
  CHECK(Reset("a[0]", R"({"a":[1]})", R"({"a":2})") == R"(failed: {"a":2})");
  CHECK(Reset("a[0].x", R"({"a":[{"x":1}]})", R"({"a":[{"x":2,"y":3}]})") == R"({"a":[{"x":1,"y":3}]})");
}

TEST_CASE("wildcards visit the keys of both") {
  CHECK(Reset("*", R"({"a":1,"b":2})", R"({"a":3,"c":4})") == R"({"a":1,"b":2})");
  CHECK(Reset("a[*]", R"({"a":[1,2]})", R"({"a":[3,4]})") == R"({"a":[1,2]})");
  CHECK(Reset("a[*]", R"({"a":[1,2]})", R"({"a":[3]})") == R"(failed: {"a":[1]})");
  CHECK(Reset("a.*", R"({"a":1})", R"({"a":{"x":1}})") == R"({"a":{"x":1}})");
  CHECK(Reset("a.*", R"({"a":{"x":1}})", R"({"a":2})") == R"(failed: {"a":2})");
  CHECK(Reset("*.x", R"({"a":{"x":1},"b":{"x":2}})", R"({"a":{"x":3},"b":{"x":4},"c":{"x":5}})") ==
        R"({"a":{"x":1},"b":{"x":2},"c":{"x":5}})");
  CHECK(Reset("*.x", R"({"a":{"x":1},"b":{"x":2}})", R"({"a":{"x":3}})") == R"(failed: {"a":{"x":1}})");
  CHECK(Reset("a[*].x", R"({"a":[{"x":1},{"x":2}]})", R"({"a":[{"x":3},{}]})") == R"({"a":[{"x":1},{"x":2}]})");
  CHECK(Reset("a[*].x", R"({"a":[{"x":1}]})", R"({"a":[{"x":3},{"x":4}]})") == R"(failed: {"a":[{"x":1},{"x":4}]})");
}

TEST_CASE("a reset keeps secrets secret") {
  CHECK(Reset("a", R"({"a":S(1)})", R"({"a":2})") == Secrets(R"({"a":S(1)})"));
  CHECK(Reset("a.b", R"({"a":S({\"b\":1})})", R"({"a":{"b":2}})") == Secrets(R"({"a":{"b":S(1)}})"));
  CHECK(Reset("a.b", R"({"a":{"b":1}})", R"({"a":S({\"b\":2})})") == Secrets(R"({"a":S({\"b\":1})})"));
  CHECK(Reset("a.b", R"({"a":S({\"b\":1})})", R"({"a":S({\"b\":2})})") == Secrets(R"({"a":S({\"b\":1})})"));
  CHECK(Reset("a[*]", R"({"a":S([1])})", R"({"a":[2]})") == Secrets(R"({"a":[S(1)]})"));
}

TEST_CASE("a reset that changes nothing keeps a secret's ciphertext") {
  testing::FakeSecrets secrets;
  DecodeOptions options;
  options.secrets = &secrets;
  const std::string json =
      R"({"s":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"k):{\"x\":1}"}})";
  const Value goal = *DecodeValue(json, Urn(), options);
  const auto value = PropertyPath::Parse("s.none.x")->Reset(Json("{\"s\":{}}"), goal);
  REQUIRE(value);
  CHECK(value->SameAs(goal));
}

}  // namespace kingpost::property_path_test
