// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/bind.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "languages/schema/document.h"

namespace kingpost::bind_test {

using namespace schema;

std::shared_ptr<const Package> Bound(const std::string& text, const Lookup& lookup = nullptr) {
  const auto document = ReadCanonical(text);
  REQUIRE(document.ok());
  const auto package = BindWhole(*document, {.lookup = lookup});
  INFO(package.status().message());
  REQUIRE(package.ok());
  return *package;
}

TEST_CASE("types may hold themselves, and are one and the same wherever they are named", "[schema]") {
  const auto package = Bound(R"({"name": "t", "types": {"t:index:Tree": {"type": "object", "properties": {
      "left": {"$ref": "#/types/t:index:Tree"}, "all": {"type": "array", "items": {"$ref": "#/types/t:index:Tree"}}}}}})");
  const ObjectType* tree = package->FindObject("t:index:Tree");
  REQUIRE(tree);
  CHECK(tree->properties[0].type->element->object == tree);
  CHECK(tree->properties[1].type->object == tree);
}

TEST_CASE("a change of a nested property replaces by its path, through lists and maps", "[schema]") {
  const auto package = Bound(R"({"name": "t", "types": {"t:index:In": {"type": "object", "properties": {
        "deep": {"type": "string", "replaceOnChanges": true}, "again": {"$ref": "#/types/t:index:In"}}}},
      "resources": {"t:index:A": {"properties": {
        "list": {"type": "array", "items": {"$ref": "#/types/t:index:In"}},
        "map": {"type": "object", "additionalProperties": {"$ref": "#/types/t:index:In"}},
        "zone": {"type": "string", "replaceOnChanges": true}}}}})");
  CHECK(ReplaceOnChangesPaths(*package->FindResource("t:index:A")) ==
        std::vector<std::string>{"list[*].deep", "map.*.deep", "zone"});
}

TEST_CASE("types of other packages are those that the lookup has", "[schema]") {
  const auto other = Bound(
      R"({"name": "o", "version": "1.2.0", "types": {"o:index:E": {"type": "string", "enum": [{"value": "a"}]}}})");
  std::vector<std::string> asked;
  const Lookup lookup = [&](const std::string& name,
                            const std::string& version) -> Result<std::shared_ptr<const Package>> {
    asked.push_back(name + "@" + version);
    return other;
  };
  const auto package = Bound(R"({"name": "t", "resources": {"t:index:A": {"properties": {
      "e": {"$ref": "/o/v1.2.0/schema.json#/types/o:index:E"}}}}})",
                             lookup);
  CHECK(asked == std::vector<std::string>{"o@1.2.0"});
  CHECK(package->resources[0]->outputs[0].type->enumeration == other->FindEnum("o:index:E"));
  CHECK(package->referenced.size() == 1);
}

TEST_CASE("a canonical document has the fields of its source, in the schema's order", "[schema]") {
  const auto document = ReadCanonical(R"({"version": "1.0.0", "unknown": 1, "keywords": [], "name": "t",
      "functions": {"t:index:f": {"outputs": {"type": "string", "plain": true}, "description": "<d>", "plain": false}}})");
  REQUIRE(document.ok());
  CHECK(DocumentText(*document) == R"({
  "name": "t",
  "version": "1.0.0",
  "config": {},
  "functions": {
    "t:index:f": {
      "description": "\u003cd\u003e",
      "outputs": {
        "plain": true,
        "type": "string"
      },
      "plain": false
    }
  }
})");
}

TEST_CASE("a field of the wrong kind is named by its path", "[schema]") {
  const auto refused = ReadCanonical(R"({"name": "t", "types": {"t:a/b:C": {"properties": {"p": []}}}})");
  CHECK(refused.status().message() == "#/types/t:a%2Fb:C/properties/p: expected an object, found a list");
}

TEST_CASE("a missing package is reported once, however many references name it", "[schema]") {
  const auto document = ReadCanonical(R"({"name": "t", "resources": {"t:index:R": {"properties": {
      "a": {"$ref": "/other/v1.0.0/schema.json#/types/other:index:A"},
      "b": {"type": "array", "items": {"$ref": "/other/v1.0.0/schema.json#/types/other:index:B"}},
      "c": {"$ref": "/more/v1.0.0/schema.json#/resources/more:index:C"}}}}})");
  REQUIRE(document.ok());
  int asked = 0;
  const Lookup lookup = [&](const std::string& name, const std::string&) -> Result<std::shared_ptr<const Package>> {
    ++asked;
    return Status(Code::kNotFound, "no " + name);
  };
  std::vector<std::string> told;
  for (const Diagnostic& one : Bind(*document, {.lookup = lookup}).diagnostics) told.push_back(one.text);
  CHECK(told == std::vector<std::string>{
                    "#/resources/t:index:R/properties/a/$ref: resolving package other: no other",
                    "#/resources/t:index:R/properties/c/$ref: resolving package more: no more",
                });
  CHECK(asked == 2);
}

TEST_CASE("an opened package binds the parts that callers look up, also by their short names", "[schema]") {
  const auto package = Open("t", R"-({"name": "t", "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
      "types": {"t:index:A": {"type": "object", "properties": {"next": {"$ref": "#/types/t:index:A"}}}},
      "resources": {
        "t:net/wire:Wire": {"inputProperties": {"a": {"$ref": "#/types/t:index:A"}, "odd": {"type": "gas"},
                                                "far": {"$ref": "/other/v1.0.0/schema.json#/types/other:index:A"}}}},
      "functions": {"t:index/find:find": {"outputs": {"type": "object"}}}})-");
  REQUIRE(package.ok());
  const Resource* wire = (*package)->FindResource("t:net:Wire");
  REQUIRE(wire != nullptr);
  CHECK(wire == (*package)->FindResource("t:net/wire:Wire"));
  CHECK(wire == (*package)->FindResource("t:NET/wire:wire"));
  CHECK(FindProperty(wire->inputs, "odd")->type->kind == Type::Kind::kAny);
  CHECK(FindProperty(wire->inputs, "far")->type->kind == Type::Kind::kAny);
  const ObjectType* object = FindProperty(wire->inputs, "a")->type->object;
  CHECK(object->properties[0].type->object == object);
  CHECK_FALSE((*package)->FindFunction("t:find")->one_value);
  CHECK((*package)->FindResource("t:index:Missing") == nullptr);
  CHECK((*package)->FindFunction("find") == nullptr);
  CHECK_FALSE(Open("t", "[]").ok());
}

}  // namespace kingpost::bind_test
