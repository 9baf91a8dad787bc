// SPDX-License-Identifier: Apache-2.0
// Checks that odd schemas, which only a broken plugin would send, take no more time and stack than others.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "languages/schema/bind.h"
#include "languages/schema/document.h"

namespace kingpost::odd_schemas_test {

using namespace schema;
using Json = nlohmann::ordered_json;

std::string TypeToken(size_t number) { return "t:index:T" + std::to_string(number); }

Json ObjectWith(const std::vector<size_t>& needed) {
  Json object = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  for (size_t i = 0; i < needed.size(); ++i) {
    const std::string name = "p" + std::to_string(i);
    object["properties"][name] = {{"$ref", "#/types/" + TypeToken(needed[i])}};
    object["required"].push_back(name);
  }
  return object;
}

BoundPackage BindDocument(const Json& document) {
  const auto canonical = Canonical(document);
  REQUIRE(canonical.ok());
  return Bind(*canonical, {});
}

std::string FirstError(const BoundPackage& bound) {
  return bound.diagnostics.empty() ? "" : bound.diagnostics.front().text;
}

TEST_CASE("each of many types may need the next", "[schema]") {
  constexpr size_t kTypes = 4000;
  Json document = {{"name", "t"}, {"types", Json::object()}, {"resources", Json::object()}};
  for (size_t i = 0; i < kTypes; ++i) document["types"][TypeToken(i)] = ObjectWith({i + 1});
  document["types"][TypeToken(kTypes)] = ObjectWith({});
  document["resources"]["t:index:R"] = {{"properties", {{"first", {{"$ref", "#/types/" + TypeToken(0)}}}}}};
  const BoundPackage bound = BindDocument(document);
  CHECK(FirstError(bound) == "");
  const ObjectType* last = bound.package->FindObject(TypeToken(0));
  for (size_t i = 0; i < kTypes; ++i) last = last->properties[0].type->object;
  CHECK(last == bound.package->FindObject(TypeToken(kTypes)));
  CHECK(ReplaceOnChangesPaths(*bound.package->FindResource("t:index:R")).empty());
}

TEST_CASE("types that are reached by many ways are gone through once", "[schema]") {
  constexpr size_t kRungs = 60;  // 2^60 ways from the first to the last
  Json document = {{"name", "t"}, {"types", Json::object()}, {"resources", Json::object()}};
  for (size_t i = 0; i < kRungs; ++i) document["types"][TypeToken(i)] = ObjectWith({i + 1, i + 1});
  document["types"][TypeToken(kRungs)] = ObjectWith({});
  document["resources"]["t:index:R"] = {{"properties", {{"first", {{"$ref", "#/types/" + TypeToken(0)}}}}}};
  const BoundPackage bound = BindDocument(document);
  CHECK(FirstError(bound) == "");
  CHECK(ReplaceOnChangesPaths(*bound.package->FindResource("t:index:R")).empty());
}

TEST_CASE("a cycle of required types is reported for each type that leads to it", "[schema]") {
  Json document = {{"name", "t"}, {"types", Json::object()}};
  document["types"][TypeToken(0)] = ObjectWith({3, 1});
  document["types"][TypeToken(1)] = ObjectWith({2});
  document["types"][TypeToken(2)] = ObjectWith({1});
  document["types"][TypeToken(3)] = ObjectWith({});
  document["types"][TypeToken(4)] = ObjectWith({3, 2});
  std::vector<std::string> told;
  for (const Diagnostic& diagnostic : BindDocument(document).diagnostics) {
    told.push_back(diagnostic.text);
  }
  CHECK(told == std::vector<std::string>{
                    "#/types/t:index:T0: object type has unsatisfiable required-property cycle: t:index:T1 -> "
                    "t:index:T2 -> t:index:T1",
                    "#/types/t:index:T4: object type has unsatisfiable required-property cycle: t:index:T2 -> "
                    "t:index:T1 -> t:index:T2",
                });
}

TEST_CASE("a name of any length is looked at", "[schema]") {
  const std::string name(200'000, 'a');
  const BoundPackage good = BindDocument({{"name", "t"}, {"resources", {{"t:index:" + name, Json::object()}}}});
  CHECK(FirstError(good) == "");
  const BoundPackage bad = BindDocument({{"name", name + "!"}, {"namespace", name + "!"}});
  CHECK(FirstError(bad).find("does not match pattern") != std::string::npos);
}

TEST_CASE("a pattern of modules takes no longer than its text is", "[schema]") {
  const std::string module(200'000, 'a');
  const BoundPackage bound = BindDocument({{"name", "t"}, {"meta", {{"moduleFormat", "^((a*)*)*b$"}}}});
  CHECK(FirstError(bound) == "");
  CHECK(bound.package->ModuleOf("t:" + module + ":R") == "");
  CHECK(bound.package->ModuleOf("t:" + module + "b:R") == module);
}

TEST_CASE("a union that contains itself is an object", "[schema]") {
  const auto package = Open("t", R"({"name": "t",
      "types": {"t:index:A": {"type": "object", "properties": {}, "oneOf": [{"$ref": "#/types/t:index:A"}]}},
      "resources": {"t:index:R": {"inputProperties": {"a": {"$ref": "#/types/t:index:A"}}}}})");
  REQUIRE(package.ok());
  CHECK((*package)->FindResource("t:index:R")->inputs[0].type->kind == Type::Kind::kObject);
}

TEST_CASE("outputs of a function without known fields are left out", "[schema]") {
  const auto document = ReadCanonical(R"({"name": "t", "functions": {"t:index:f": {"outputs": {"unheard": 1}}}})");
  REQUIRE(document.ok());
  CHECK_FALSE(document->at("functions").at("t:index:f").contains("outputs"));
  const auto again = ReadCanonical(DocumentText(*document));
  REQUIRE(again.ok());
  CHECK(DocumentText(*again) == DocumentText(*document));
}

TEST_CASE("an invalid pattern of modules is reported, and modules keep their names", "[schema]") {
  const BoundPackage bound = BindDocument({{"name", "t"}, {"meta", {{"moduleFormat", "("}}}});
  CHECK(FirstError(bound).find("#/meta/moduleFormat: failed to compile regex: error parsing regexp: ") == 0);
  CHECK(bound.package->ModuleOf("t:a/b:R") == "a/b");
}

TEST_CASE("an opened schema may say anything where it should list the alternatives of a union", "[schema]") {
  const std::string union_type = GENERATE(R"("string")", "3", "{}", "[]");
  const auto package =
      Open("t", R"({"name": "t", "resources": {"t:index:R": {"properties": {"p": {"oneOf": )" + union_type + "}}}}}");
  REQUIRE(package.ok());
  const Resource* resource = (*package)->FindResource("t:index:R");
  REQUIRE(resource);
  CHECK(FindProperty(resource->outputs, "p")->type->elements.empty());
}

TEST_CASE("names that collide in a language give a warning, and names without a letter are refused", "[schema]") {
  const Json text = {{"type", "string"}};
  const Json names = {{"zone", text},  {"Zone_", text}, {"z1-one", text},
                      {"1zone", text}, {"z1One", text}, {"12", text}};
  const BoundPackage bound =
      BindDocument({{"name", "t"}, {"resources", {{"t:index:R", {{"inputProperties", names}}}}}});
  std::vector<std::string> told;
  for (const Diagnostic& one : bound.diagnostics) told.push_back((one.error ? "error " : "warning ") + one.text);
  const std::string at = "#/resources/t:index:R/inputProperties/";
  CHECK(told == std::vector<std::string>{
                    "error " + at + "12: property name must contain an ASCII letter",
                    "warning " + at + "Zone_: property name conflicts with \"1zone\": both reduce to \"zone\"",
                    "warning " + at + "z1One: property name conflicts with \"z1-one\": both reduce to \"z1one\"",
                    "warning " + at + "zone: property name conflicts with \"1zone\": both reduce to \"zone\""});
}

TEST_CASE("a provider of the root module is refused also where a pattern of modules leads there", "[schema]") {
  const auto first_error = [](const std::string& token) {
    return FirstError(BindDocument(
        {{"name", "t"}, {"meta", {{"moduleFormat", "(.*)(?:/[^/]*)"}}}, {"resources", {{token, Json::object()}}}}));
  };
  CHECK(first_error("t:index/provider:Provider").find("provider is a reserved word for the root module") !=
        std::string::npos);
  CHECK(first_error("t:deep/provider:Provider") == "");
}

}  // namespace kingpost::odd_schemas_test
