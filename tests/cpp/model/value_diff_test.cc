// SPDX-License-Identifier: Apache-2.0
// Structural differences and the detailed diffs made of them.
#include "model/value_diff.h"

#include <catch2/catch.hpp>

#include "model/deployment_json.h"

namespace kingpost::value_diff_test {

PropertyMap Json(const std::string& text) {
  const auto value = DecodeValue(text, Urn(), {});
  REQUIRE(value.status().message() == "");
  return value->as_object();
}

// "a:update b[0]:add"
std::string Detailed(const PropertyMap& old_map, const PropertyMap& new_map) {
  std::string text;
  for (const auto& [path, diff] : ToDetailedDiff(DiffObjects(old_map, new_map), true)) {
    CHECK(diff.input_diff);
    text += (text.empty() ? "" : " ") + path + ":" + DiffKindName(diff.kind);
  }
  return text;
}

std::string Detailed(const std::string& old_json, const std::string& new_json) {
  return Detailed(Json(old_json), Json(new_json));
}

TEST_CASE("finds adds, deletes and updates down to the leaves") {
  CHECK(Detailed("{}", "{}") == "");
  CHECK(Detailed(R"({"a":1,"b":2,"c":3})", R"({"a":1,"b":4,"d":5})") == "b:update c:delete d:add");
  CHECK(Detailed(R"({"a":{"b":{"c":1,"d.e":2}}})", R"({"a":{"b":{"c":2,"f":1}}})") ==
        R"(a.b.c:update a.b.f:add a.b["d.e"]:delete)");
  CHECK(Detailed(R"({"a":[1,2,3]})", R"({"a":[1,5]})") == "a[1]:update a[2]:delete");
  CHECK(Detailed(R"({"a":[{"x":1}]})", R"({"a":[{"x":2},4]})") == "a[0].x:update a[1]:add");
  CHECK(Detailed(R"({"a":[1]})", R"({"a":{"x":1}})") == "a:update");
}

TEST_CASE("a null is as good as absent") {
  CHECK(Detailed(R"({"a":null})", "{}") == "");
  CHECK(Detailed("{}", R"({"a":null})") == "");
  CHECK(Detailed(R"({"a":null})", R"({"a":1})") == "a:add");
  CHECK(Detailed(R"({"a":1})", R"({"a":null})") == "a:delete");
  CHECK(Detailed(R"({"a":[null,1]})", R"({"a":[1,null]})") == "a[0]:add a[1]:delete");
}

TEST_CASE("looks through secrets and outputs, but records them") {
  const PropertyMap secret{{"a", Value::Secret(PropertyMap{{"x", 1}})}, {"b", Value::Secret("s")}};
  const PropertyMap plain{{"a", PropertyMap{{"x", 2}}}, {"b", Value::Output({"s", true, true, {}})}};
  CHECK(Detailed(secret, plain) == "a.x:update");
  const ObjectDiff diff = DiffObjects(secret, plain);
  CHECK(diff.updates.at("a").old_value.is_secret());
  CHECK(diff.updates.at("a").object->updates.at("x").new_value.as_number() == 2);
  CHECK(diff.sames.at("b").is_secret());
  CHECK(Detailed({{"a", Computed()}}, {{"a", Value::Output({Value(), false, false, {}})}}) == "");
  CHECK(Detailed({{"a", 1}}, {{"a", Computed()}}) == "a:update");
}

TEST_CASE("keys of the engine itself are left out unless asked for") {
  const PropertyMap a{{"__x", 1}, {"o", PropertyMap{{"__y", 1}}}}, b{{"__x", 2}, {"o", PropertyMap{}}};
  CHECK_FALSE(DiffObjects(a, b).any());
  CHECK(DiffObjects(a, b, true).updates.size() == 2);
}

TEST_CASE("diff kinds have names, replace forms and opposites") {
  for (int i = 0; i < 6; ++i) {
    const DiffKind kind = static_cast<DiffKind>(i);
    CHECK(ParseDiffKind(DiffKindName(kind)) == kind);
    CHECK(IsReplace(Promote(kind)));
    CHECK(Invert(Invert(kind)) == kind);
    CHECK(IsReplace(Invert(kind)) == IsReplace(kind));
  }
  CHECK(Promote(DiffKind::kAdd) == DiffKind::kAddReplace);
  CHECK(Invert(DiffKind::kAddReplace) == DiffKind::kDeleteReplace);
  CHECK_FALSE(ParseDiffKind("none"));
}

}  // namespace kingpost::value_diff_test
