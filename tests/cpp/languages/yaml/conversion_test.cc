// SPDX-License-Identifier: Apache-2.0
// Checks the form of YAML expressions in other languages. tests/py/test_convert.py runs the programs and compares
// values.
#include "languages/yaml/conversion.h"

#include <catch2/catch.hpp>

#include "languages/codegen/writers.h"
#include "languages/yaml/yaml_stage.h"

namespace kingpost::conversion_test {

using yaml_stage::Stage;

struct Converted {
  codegen::Program program;
  yaml::Diagnostics diagnostics;
};

Converted ConvertText(const std::string& text) {
  Stage stage;
  Converted converted;
  const yaml::ProgramDecl source = yaml::ParseProgram({"Pulumi.yaml", text}, &converted.diagnostics);
  const LanguageServices services = stage.MakeServices();
  yaml::PackageIndex book(services, {});
  stage.loop.RunUntilDone(book.Load(yaml::TokensIn(source.body), &converted.diagnostics));
  converted.program = yaml::ConvertProgram({source, book, {}, {}}, &converted.diagnostics);
  return converted;
}

// Returns the text between the last `opening` and `closing`.
std::string LastValue(const std::string& code, const std::string& opening, const std::string& closing) {
  const size_t begin = code.rfind(opening);
  REQUIRE(begin != std::string::npos);
  const std::string rest = code.substr(begin + opening.size());
  REQUIRE(rest.size() > closing.size());
  return rest.substr(0, rest.size() - closing.size());
}

constexpr char kBefore[] = R"(name: shop
runtime: yaml
config:
  size: {type: integer}
  hush: {type: string, secret: true}
variables:
  text: hello
  list: [a, "${gadget.label}"]
  map: {"b c": {d: [10]}}
resources:
  gadget: {type: "gadgets:Gadget", properties: {name: one}}
  far: {type: "pulumi:pulumi:StackReference", properties: {name: acme/far/dev}}
outputs:
  out: )";

struct Row {
  const char* yaml;
  const char* python;
  const char* typescript;
};

constexpr Row kRows[] = {
    {"7", "7", "7"},
    {"[true, null, {a b: x}]", R"([True, None, {"a b": "x"}])", R"([true, null, { "a b": "x" }])"},
    {"${text}", "text", "text"},
    {"a ${text}{x}`$${y}", R"("a {0}{{x}}`${{y}}".format(text))", R"(`a ${text}{x}\`\${y}`)"},
    {"<${size}>", R"("<{0}>".format(as_text(size)))", "`<${asText(size)}>`"},
    {"<${hush}>", R"(pulumi.Output.format("<{0}>", hush))", "pulumi.interpolate`<${hush}>`"},
    {"${map[\"b c\"].d[0]}", R"(map["b c"]["d"][0])", R"(map["b c"].d[0])"},
    {"${list[1]}", "list[1]", "list[1]"},
    {"${gadget.id}", "gadget.id", "gadget.id"},
    {"${gadget.parts[0].size}", "gadget.parts[0].size", "gadget.parts.apply(value => value?.[0]?.size!)"},
    {"${gadget.tags.color}", R"(gadget.tags["color"])", "gadget.tags.apply(value => value?.color!)"},
    {"${far.outputs.port}", R"(far.get_output("port"))", R"(far.getOutput("port"))"},
    {"{\"fn::join\": [\"-\", [a, \"${hush}\"]]}",
     R"(pulumi.Output.from_input(["a", hush]).apply(lambda value: "-".join(value)))",
     R"(pulumi.output(["a", hush]).apply(value => value.join("-")))"},
    {"{\"fn::join\": [\"${hush}\", [\"${gadget.label}\"]]}",
     R"(pulumi.Output.all(hush, [gadget.label]).apply(lambda values: values[0].join(values[1])))",
     R"(pulumi.all([hush, [gadget.label.apply(value => value!)]]).apply(values => values[1].join(values[0])))"},
    {"{\"fn::split\": [\",\", a]}", R"("a".split(","))", R"("a".split(","))"},
    {"{\"fn::split\": [\"\", a]}", R"(list("a"))", R"(Array.from("a"))"},
    {"{\"fn::select\": [0, [x]]}", R"(["x"][0])", R"(["x"][0])"},
    {"{\"fn::toJSON\": {a: \"${size}\"}}", R"(to_json({"a": size}))", "toJson({ a: size })"},
    {"{\"fn::toJSON\": {a: \"${hush}\"}}", R"(pulumi.Output.from_input({"a": hush}).apply(to_json))",
     "pulumi.output({ a: hush }).apply(toJson)"},
    {"{\"fn::secret\": a}", R"(pulumi.Output.secret("a"))", R"(pulumi.secret("a"))"},
    {"{\"fn::unsecret\": \"${hush}\"}", "pulumi.Output.unsecret(hush)", "pulumi.unsecret(hush)"},
    {"{\"fn::length\": [1, 2]}", "len([1, 2])", "lengthOf([1, 2])"},
    {"{\"fn::length\": \"${text}\"}", "length_of(text)", "lengthOf(text)"},
    {"{\"fn::pulumiResourceType\": \"${gadget}\"}", R"("gadgets:index:Gadget")", R"("gadgets:index:Gadget")"},
    {"{\"fn::fileAsset\": \"${hush}\"}", "hush.apply(pulumi.FileAsset)",
     "hush.apply(text => new pulumi.asset.FileAsset(text))"},
    {"{\"fn::invoke\": {function: \"gadgets:getGadget\", arguments: {name: a}, return: label}}",
     R"(gadgets.get_gadget_output(name="a").label)",
     R"(gadgets.getGadgetOutput({ name: "a" }).apply(value => value?.label!))"},
    {"{\"fn::gadgets:index:double\": {number: 21}}", "gadgets.double_output(number=21)",
     "gadgets.doubleOutput({ number: 21 })"},
};

TEST_CASE("each expression of a YAML program has its form in Python and TypeScript") {
  for (const Row& row : kRows) {
    INFO(row.yaml);
    const Converted converted = ConvertText(std::string(kBefore) + row.yaml + "\n");
    for (const yaml::Diagnostic& diagnostic : converted.diagnostics.list()) CHECK(diagnostic.summary == "");
    const std::string python = codegen::WritePython(converted.program);
    CHECK(LastValue(python, "pulumi.export(\"out\", ", ")\n") == row.python);
    const std::string node = codegen::WriteTypeScript(converted.program, codegen::ModuleKind::kImport);
    CHECK(LastValue(node, "export const out = ", ";\n") == row.typescript);
  }
}

TEST_CASE("an expression that other languages cannot have is refused with its line") {
  const std::pair<const char*, const char*> rows[] = {
      {"${gadget}", "the whole resource 'gadget' as a value is not converted"},
      {"{\"fn::toJSON\": \"${gadget}\"}", "the whole resource 'gadget' as a value is not converted"},
      {"{\"${text}\": 1}", "a key that is computed is not converted"},
  };
  for (const auto& [expression, message] : rows) {
    INFO(expression);
    const Converted converted = ConvertText(std::string(kBefore) + expression + "\n");
    REQUIRE(converted.diagnostics.list().size() == 1);
    CHECK(converted.diagnostics.list()[0].summary == message);
    CHECK(converted.diagnostics.list()[0].at.line == 14);
  }
}

TEST_CASE("a mistake in a variable is reported once, however often the variable is used") {
  std::string text = kBefore;
  text.insert(text.find("variables:\n") + 11, "  bad: {\"${text}\": 1}\n");
  const Converted converted = ConvertText(text + "\"${bad} ${bad}\"\n");
  REQUIRE(converted.diagnostics.list().size() == 1);
  CHECK(converted.diagnostics.list()[0].summary == "a key that is computed is not converted");
}

}  // namespace kingpost::conversion_test
