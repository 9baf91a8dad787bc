// SPDX-License-Identifier: Apache-2.0
// Checks the values of YAML expressions: one output each.
#include <catch2/catch.hpp>

#include "languages/yaml/yaml_stage.h"
#include "support/temp_folder.h"

namespace kingpost::expressions_test {

using yaml_stage::Stage;

struct Row {
  const char* expression;  // behind "  out: "
  const char* json;        // "" if there is no output
};

// The head of each program: variables, and a gadget.
constexpr char kBefore[] = R"(name: shop
runtime: yaml
variables:
  text: hello
  number: 12
  yes: true
  list: [a, b, c]
  map: {a: 1, "b c": {d: [10, 20]}}
  none: null
resources:
  gadget: {type: "gadgets:Gadget", properties: {name: one, size: 3, tags: {color: red}, parts: [{size: 1}]}}
outputs:
  out: )";

constexpr Row kRows[] = {
    {"plain", R"("plain")"},
    {"7", "7"},
    {"2.5", "2.5"},
    {"true", "true"},
    {"yes", R"("yes")"},
    {"null", ""},
    {"2020-01-01", R"("2020-01-01")"},
    {"0777", "511"},
    {"\"07\"", R"("07")"},
    {"[1, [two], {three: 3}]", R"([1,["two"],{"three":3}])"},
    {"{}", "{}"},
    // Interpolation.
    {"${text}", R"("hello")"},
    {"${number}", "12"},
    {"${text} and ${number}", R"("hello and 12")"},
    {"$${text} $ {x} $$ $", R"("${text} $ {x} $ $")"},
    {"\"${map.a} ${map[\\\"b c\\\"].d[1]}\"", R"("1 20")"},
    {"${map[\"b c\"].d}", "[10,20]"},
    {"${list[2]}", R"("c")"},
    {"x ${map.missing}", R"("x \u003cnil\u003e")"},
    {"x ${none} ${yes} ${list} ${map}", R"("x \u003cnil\u003e true [a b c] map[a:1 b c:map[d:[10 20]]]")"},
    {"{\"${text}\": 1}", R"({"hello":1})"},
    {"${pulumi.project}/${pulumi.stack}/${pulumi.organization}", R"("shop/dev/acme")"},
    {"${pulumi.cwd} ${pulumi.rootDirectory}", R"("/nowhere /nowhere")"},
    // Functions.
    {"{\"fn::join\": [\"-\", [a, \"${text}\"]]}", R"("a-hello")"},
    {"{\"fn::join\": [null, [a, b]]}", R"("ab")"},
    {"{\"fn::split\": [\",\", \"a,b,\"]}", R"(["a","b",""])"},
    {"{\"fn::split\": [\"\", \"aé\"]}", R"(["a","é"])"},
    {"{\"fn::select\": [1, \"${list}\"]}", R"("b")"},
    {"{\"fn::toJSON\": {b: [1, true, null], a: \"<&>\"}}",
     R"("{\"a\":\"\\u003c\\u0026\\u003e\",\"b\":[1,true,null]}")"},
    {"{\"fn::toBase64\": hello}", R"("aGVsbG8=")"},
    {"{\"fn::fromBase64\": aGVsbG8=}", R"("hello")"},
    {"{\"fn::secret\": \"${text}\"}", R"({"secret":"hello"})"},
    {"{\"fn::unsecret\": {\"fn::secret\": a}}", R"("a")"},
    {"{\"fn::join\": [\"-\", [a, {\"fn::secret\": b}]]}", R"({"secret":"a-b"})"},
    {"{\"fn::sha1\": abc}", R"("a9993e364706816aba3e25717850c26c9cd0d89d")"},
    {"{\"fn::length\": \"${list}\"}", "3"},
    {"{\"fn::length\": \"${map}\"}", "2"},
    {"{\"fn::length\": héllo}", "5"},
    {"{\"fn::length\": \"e\\u0301 🇩🇪👩‍💻\\r\\n\"}", "5"},
    {"{\"fn::singleOrNone\": []}", ""},
    {"{\"fn::singleOrNone\": [x]}", R"("x")"},
    {"{\"fn::pulumiResourceName\": \"${gadget}\"}", R"("gadget")"},
    {"{\"fn::pulumiResourceType\": \"${gadget}\"}", R"("gadgets:index:Gadget")"},
    {"{\"fn::ToBase64\": x}", R"("eA==")"},
    {"{\"fn::stringAsset\": text}", R"({"asset":"text"})"},
    {"{\"fn::assetArchive\": {a: {\"fn::stringAsset\": \"${text}\"}}}", R"({"archive":{"a":{"asset":"hello"}}})"},
    {"{\"fn::unknown\": x}", R"({"fn::unknown":"x"})"},
    {"{\"fn::invoke\": {function: \"gadgets:getGadget\", arguments: {name: a}}}",
     R"({"label":"found a","sizes":[1,2.5]})"},
    {"{\"fn::invoke\": {function: \"gadgets:getGadget\", arguments: {name: a}, return: label}}", R"("found a")"},
    {"{\"fn::gadgets:getGadget\": {name: b}}", R"({"label":"found b","sizes":[1,2.5]})"},
    {"{\"fn::gadgets:index:double\": {number: 21}}", "42"},
    // The only value of an answer, whatever it is called there, unless the schema has properties for it.
    {"{\"fn::gadgets:half\": {number: 4}}", "4"},
    {"{\"fn::gadgets:pair\": {number: 4}}", "[4,4]"},
    {"{\"fn::gadgets:named\": {number: 4}}", R"({"number":4})"},
    {"{\"fn::gadgets:measure\": {number: 4}}", R"({"size":4})"},
    {"{\"fn::gadgets:rest\": {}}", "{}"},
    {"{\"fn::invoke\": {function: \"gadgets:measure\", arguments: {number: 4}, return: size}}", "4"},
    {"{\"fn::invoke\": {function: \"gadgets:getGadget\", arguments: {name: safe}, return: secret}}",
     R"({"secret":"word"})"},
    {"{\"fn::gadgets:getGadget\": {name: safe}}",
     R"({"secret":{"label":"found safe","secret":{"secret":"word"},"sizes":[1,2.5]}})"},
    // What it was asked with is a secret.
    {"{\"fn::invoke\": {function: \"gadgets:getGadget\", arguments: {name: {\"fn::secret\": a}}, return: label}}",
     R"({"secret":"found a"})"},
    {"{\"fn::gadgets:index:double\": {number: {\"fn::secret\": 21}}}", R"({"secret":42})"},
    // Outputs of resources.
    {"${gadget.label}", R"("label of gadget")"},
    {"${gadget.id}", R"("gadget-id")"},
    {"${gadget.urn}", R"("urn:pulumi:dev::shop::gadgets:index:Gadget::gadget")"},
    {"${gadget.tags.color} ${gadget.tags[\"color\"]} ${gadget.parts[0].size}", R"("red red 1")"},
    {"${gadget.hidden}", R"({"secret":"hush"})"},
    {"\"<${gadget.hidden}>\"", R"({"secret":"\u003chush\u003e"})"},
    {"${gadget.tags.missing}", "null"},
    {"{\"fn::stackReference\": [\"acme/other/dev\", port]}", "80"},
    {"{\"fn::stackReference\": [\"acme/other/dev\", key]}", R"({"secret":"hidden key"})"},
};

TEST_CASE("each expression of a YAML program has its value") {
  for (const Row& row : kRows) {
    INFO(row.expression);
    Stage stage;
    const RunResponse response = stage.Run(std::string(kBefore) + row.expression + "\n");
    CHECK(stage.Errors() == "");
    CHECK(response.error == "");
    CHECK_FALSE(response.bail);
    const std::string json = row.json;
    CHECK(stage.Outputs() == (json.empty() ? "{}" : "{\"out\":" + json + "}"));
  }
}

TEST_CASE("numbers in texts have no exponent as long as they are exact") {
  const std::pair<const char*, const char*> rows[] = {{"999999", "999999"},
                                                      {"1000000", "1000000"},
                                                      {"123456789012", "123456789012"},
                                                      {"9007199254740991", "9007199254740991"},
                                                      {"9007199254740992", "9.007199254740992e+15"},
                                                      {"-123456789012", "-123456789012"},
                                                      {"0.0001", "0.0001"},
                                                      {"-2.5", "-2.5"},
                                                      {"0", "0"},
                                                      {"1234567.5", "1234567.5"}};
  for (const auto& [number, text] : rows) {
    INFO(number);
    Stage stage;
    stage.Run(std::string("name: shop\nruntime: yaml\nvariables: {n: ") + number + "}\noutputs: {out: \"n${n}\"}\n");
    CHECK(stage.Outputs() == std::string("{\"out\":\"n") + text + "\"}");
  }
}

TEST_CASE("a YAML program reads files beside it") {
  TempFolder folder;
  Spit(folder / "a.txt", "some text");
  Stage stage;
  stage.folder = folder.path();
  stage.Run(
      "name: shop\nruntime: yaml\noutputs:\n  a: {\"fn::readFile\": a.txt}\n  b: {\"fn::filebase64\": a.txt}\n"
      "  c: {\"fn::filebase64sha256\": \"./${pulumi.project}.txt\"}\n  d: {\"fn::fileAsset\": a.txt}\n");
  CHECK(stage.Errors().find("Error reading file at path ./shop.txt") != std::string::npos);
  Spit(folder / "shop.txt", "abc");
  Stage again;
  again.folder = folder.path();
  again.Run(
      "name: shop\nruntime: yaml\noutputs:\n  a: {\"fn::readFile\": a.txt}\n  b: {\"fn::filebase64\": a.txt}\n"
      "  c: {\"fn::filebase64sha256\": \"./${pulumi.project}.txt\"}\n  d: {\"fn::fileAsset\": a.txt}\n");
  CHECK(again.Errors() == "");
  CHECK(
      again.Outputs() ==
      R"({"a":"some text","b":"c29tZSB0ZXh0","c":"ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=","d":{"asset":"a.txt"}})");
  REQUIRE(again.monitor.stack_outputs->Find("d")->is_asset());
  CHECK(again.monitor.stack_outputs->Find("d")->as_asset().hash.size() == 64);
}

}  // namespace kingpost::expressions_test
