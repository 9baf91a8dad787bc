// SPDX-License-Identifier: Apache-2.0
// Checks which values of an answer are secrets again, because they were when the provider was asked.
#include "model/restore_secrets.h"

#include <catch2/catch.hpp>

#include "model/deployment_json.h"

namespace kingpost::restore_secrets_test {

// JSON in which {"$": V} is a secret V.
Value Marked(const Value& value) {
  return Rewrite(value, [](const Value& v) {
    const Value* secret = v.is_object() ? v.as_object().Find("$") : nullptr;
    return secret ? Value::Secret(*secret) : v;
  });
}

PropertyMap Map(const std::string& json) {
  const auto value = DecodeValue(json, Urn(), {});
  REQUIRE(value.status().message() == "");
  return Marked(*value).as_object();
}

struct Case {
  const char *known, *answer, *restored;
};

const Case kCases[] = {
    {R"({"a": {"$": 1}})", R"({"a": 1})", R"({"a": {"$": 1}})"},
    {R"({"a": {"$": 1}})", R"({"a": 2, "b": 1})", R"({"a": {"$": 2}, "b": 1})"},
    {R"({"a": {"$": 1}})", R"({"a": null})", R"({"a": {"$": null}})"},
    {R"({"a": {"$": 1}})", R"({"b": 1})", R"({"b": 1})"},
    {R"({"a": 1})", R"({"a": {"$": 1}})", R"({"a": {"$": 1}})"},
    // Objects key by key, unless they were secrets as a whole.
    {R"({"o": {"b": {"$": 2}, "c": 3}})", R"({"o": {"b": 2, "c": 3, "d": 4}})",
     R"({"o": {"b": {"$": 2}, "c": 3, "d": 4}})"},
    {R"({"o": {"p": {"q": {"$": 1}}}})", R"({"o": {"p": {"q": {"r": 1}}}})", R"({"o": {"p": {"q": {"$": {"r": 1}}}}})"},
    {R"({"o": {"$": {"b": 2}}})", R"({"o": {"b": 2}})", R"({"o": {"$": {"b": 2}}})"},
    {R"({"o": {"b": {"$": 2}}})", R"({"o": "b=2"})", R"({"o": {"$": "b=2"}})"},
    // Lists as a whole, unless the provider has shown that it knows which are secrets.
    {R"({"l": [1, {"$": 2}]})", R"({"l": [2, 1]})", R"({"l": {"$": [2, 1]}})"},
    {R"({"l": [1, {"$": 2}]})", R"({"l": [1, {"$": 2}]})", R"({"l": [1, {"$": 2}]})"},
    {R"({"l": [{"$": 1}, {"$": 2}]})", R"({"l": [{"$": 1}, 2]})", R"({"l": [{"$": 1}, {"$": 2}]})"},
    {R"({"l": [{"$": 1}, {"$": 2}]})", R"({"l": [2]})", R"({"l": {"$": [2]}})"},
    {R"({"l": [{"k": {"$": 1}}, {"k": {"$": 2}}]})", R"({"l": [{"k": 1}, {"k": {"$": 2}}]})",
     R"({"l": [{"k": {"$": 1}}, {"k": {"$": 2}}]})"},
};

TEST_CASE("a value that was secret becomes secret again") {
  for (const Case& c : kCases) {
    INFO(c.known << " answered " << c.answer);
    CHECK(DeepEqual(RestoreSecrets(Map(c.answer), Map(c.known)), Map(c.restored)));
  }
}

TEST_CASE("an answer that lost nothing is not copied") {
  const PropertyMap answer = Map(R"({"a": {"$": 1}, "o": {"b": {"$": 2}}, "c": 3})");
  CHECK(RestoreSecrets(answer, answer).SameAs(answer));
}

}  // namespace kingpost::restore_secrets_test
