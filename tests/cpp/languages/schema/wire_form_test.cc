// SPDX-License-Identifier: Apache-2.0
// Checks which unions can be told apart by their values alone.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "languages/schema/bind.h"
#include "languages/schema/document.h"

namespace kingpost::wire_form_test {

using namespace schema;

constexpr char kTypes[] = R"(
    "t:index:Circle": {"type": "object", "properties": {
        "kind": {"type": "string", "const": "circle"}, "radius": {"type": "number"}}, "required": ["kind"]},
    "t:index:Square": {"type": "object", "properties": {
        "kind": {"type": "string", "const": "square"}, "side": {"type": "number"}}, "required": ["kind"]},
    "t:index:MaybeCircle": {"type": "object", "properties": {"kind": {"type": "string", "const": "circle"}}},
    "t:index:MaybeSquare": {"type": "object", "properties": {"kind": {"type": "string", "const": "square"}}},
    "t:index:Named": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    "t:index:Numbered": {"type": "object", "properties": {"name": {"type": "integer"}}, "required": ["name"]},
    "t:index:Wide": {"type": "object", "properties": {"name": {"type": "string"}, "more": {"type": "string"}},
                     "required": ["name"]},
    "t:index:Left": {"type": "object", "properties": {"next": {"type": "array", "items": {"$ref": "#/types/t:index:Left"}}}, "required": ["next"]},
    "t:index:Right": {"type": "object", "properties": {"next": {"type": "array", "items": {"$ref": "#/types/t:index:Right"}}}, "required": ["next"]},
    "t:index:Warm": {"type": "string", "enum": [{"value": "red"}, {"value": "orange"}]},
    "t:index:Cold": {"type": "string", "enum": [{"value": "blue"}]},
    "t:index:Reddish": {"type": "string", "enum": [{"value": "red"}]})";

bool ToldApart(const std::string& alternatives) {
  const auto document = ReadCanonical(
      R"({"name": "t", "types": {)" + std::string(kTypes) +
      R"(}, "resources": {"t:index:A": {}, "t:index:B": {}, "t:index:R": {"properties": {"u": {"oneOf": [)" +
      alternatives + "]}}}}}");
  REQUIRE(document.ok());
  const auto package = BindWhole(*document, {});
  INFO(package.status().message());
  REQUIRE(package.ok());
  const schema::Property* union_property = FindProperty((*package)->FindResource("t:index:R")->outputs, "u");
  REQUIRE(union_property->type->kind == schema::Type::Kind::kUnion);
  return IsDistinguishableOnWire(*union_property->type);
}

std::string Ref(const std::string& name) { return R"({"$ref": "#/types/t:index:)" + name + R"("})"; }

TEST_CASE("the members of a union differ by the forms, constants or property names of their values", "[schema]") {
  const std::string text = R"({"type": "string"})", number = R"({"type": "number"})",
                    integer = R"({"type": "integer"})", list = R"({"type": "array", "items": {"type": "string"}})",
                    numbers = R"({"type": "array", "items": {"type": "number"}})",
                    map = R"({"type": "object", "additionalProperties": {"type": "string"}})",
                    any = R"({"$ref": "pulumi.json#/Any"})", asset = R"({"$ref": "pulumi.json#/Asset"})",
                    a = R"({"$ref": "#/resources/t:index:A"})", b = R"({"$ref": "#/resources/t:index:B"})";
  const std::pair<std::vector<std::string>, bool> cases[] = {
      {{text, number}, true},
      {{text, list}, true},
      {{text, map, number}, true},
      {{integer, number}, false},  // all numbers are alike
      {{list, numbers}, false},    // both may be empty
      {{text, any}, false},
      {{asset, map}, true},
      {{a, b}, true},
      {{Ref("Circle"), Ref("Square")}, true},
      {{Ref("MaybeCircle"), Ref("MaybeSquare")}, false},  // {} is either
      {{Ref("Named"), Ref("Numbered")}, true},
      {{Ref("Named"), Ref("Wide")}, false},
      {{Ref("Circle"), Ref("Named")}, true},  // no name in common
      {{Ref("Named"), map}, false},
      {{Ref("Numbered"), map}, true},
      {{Ref("Left"), Ref("Right")}, false},  // trees without branches
      {{Ref("Warm"), Ref("Cold")}, true},
      {{Ref("Warm"), Ref("Reddish")}, false},
      {{Ref("Warm"), text}, false},
  };
  for (const auto& [alternatives, expected] : cases) {
    std::string joined;
    for (const std::string& alternative : alternatives) joined += (joined.empty() ? "" : ", ") + alternative;
    CAPTURE(joined);
    CHECK(ToldApart(joined) == expected);
  }
}

}  // namespace kingpost::wire_form_test
