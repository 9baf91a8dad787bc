// SPDX-License-Identifier: Apache-2.0
// Expressions and their values, in tables: each value is written as the language's own JSON.
#include "languages/pcl/evaluator.h"

#include <catch2/catch.hpp>

#include "languages/pcl/builtins.h"
#include "languages/pcl/parser.h"

namespace kingpost::pcl::evaluator_test {

const Urn kProducer("urn:pulumi:dev::shop::pkg:index:Res::producer");

EvaluationContext Around() {
  EvaluationContext around;
  around.project = "shop";
  around.stack = "dev";
  around.organization = "acme";
  around.working_directory = around.root_directory = "/work";
  return around;
}

Scope Names() {
  Scope scope;
  scope.Set("s", {Value("text"), {}});
  scope.Set("n", {Value(3), {}});
  scope.Set("nothing", {Value(), {}});
  scope.Set("list", {Value(Array{Value("a"), Value("b"), Value("c")}), {}});
  scope.Set(
      "people",
      {Value(Array{Value(PropertyMap{{"name", "Ann"}, {"age", 7}}), Value(PropertyMap{{"name", "Bob"}, {"age", 8}})}),
       {}});
  scope.Set("map", {Value(PropertyMap{{"x", 1}, {"y", 2}}), {}});
  scope.Set("unknown", {Value(Computed()), {}});
  scope.Set("hidden", {Value("pst"), {true, {}}});
  scope.Set("producer", {Value(PropertyMap{{"value", "v"},
                                           {"inner", Value::Secret(Value("deep"))},
                                           {"urn", Value(kProducer.str())},
                                           {"id", "i-1"},
                                           {"__name", "producer"},
                                           {"__type", "pkg:index:Res"}}),
                         {false, {kProducer}}});
  return scope;
}

Result<Datum> Evaluate(const std::string& source) {
  auto parsed = ParseExpression(source);
  if (!parsed.ok()) return parsed.status();
  const EvaluationContext around = Around();
  const Scope scope = Names();
  EffectLog effects;
  Evaluator evaluator(around, &effects);
  return evaluator.Evaluate(**parsed, scope);
}

// The value with all marks off; "unknown" if it is.
std::string Text(const std::string& source) {
  auto datum = Evaluate(source);
  if (!datum.ok()) return "error " + datum.status().message();
  Marks marks;
  const Value plain = OpenDeep(datum->value, &marks);
  return plain.is_computed() ? "unknown" : ToJson(plain);
}

TEST_CASE("expressions have the values HCL gives them") {
  const std::pair<const char*, const char*> cases[] = {
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"7 % 4 - -1", "4"},
      {"1 / 4", "0.25"},
      {"\"2\" * 3", "6"},
      {"1e3", "1000"},
      {"1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 4 || false", "false"},
      {"!false", "true"},
      {"1 == 1.0", "true"},
      {"\"1\" == 1", "false"},
      {"[1, {a = 2}] == [1, {a = 2}]", "true"},
      {"null == null", "true"},
      {"s != \"text\"", "false"},
      {"n > 2 ? \"big\" : \"small\"", "\"big\""},
      {"true ? 1 : missing", "1"},
      {"false && missing", "false"},
      {"\"a ${s} ${n} ${true}\"", "\"a text 3 true\""},
      {"\"${n}\"", "3"},
      {"\"${list}\"", "[\"a\",\"b\",\"c\"]"},
      {"\"$${n} %%{x} \\u00e4\\n\"", "\"${n} %{x} \xc3\xa4\\n\""},
      {"\"%{ if n > 2 }yes%{ else }no%{ endif }\"", "\"yes\""},
      {"\"%{ for x in list }<${x}>%{ endfor }\"", "\"\\u003ca\\u003e\\u003cb\\u003e\\u003cc\\u003e\""},
      {"\"a  ${~ n ~}  b\"", "\"a3b\""},
      {"<<END\none\n  ${n}\nEND\n", "\"one\\n  3\\n\""},
      {"<<-END\n    one\n      ${n}\n\n    two\n    END\n", "\"one\\n  3\\n\\ntwo\\n\""},
      {"{a = 1, \"b c\" = 2, (s) : 3}", "{\"a\":1,\"b c\":2,\"text\":3}"},
      {"{\n  a = 1\n  b = [\n    2,\n    3,\n  ]\n}", "{\"a\":1,\"b\":[2,3]}"},
      {"list[1]", "\"b\""},
      {"list.1", "\"b\""},
      {"map.x + map[\"y\"]", "3"},
      {"people[0].name", "\"Ann\""},
      {"people.*.name", "[\"Ann\",\"Bob\"]"},
      {"people[*].age", "[7,8]"},
      {"map[*].x", "[1]"},
      {"nothing[*].x", "[]"},
      {"[for x in list : \"${x}!\"]", "[\"a!\",\"b!\",\"c!\"]"},
      {"[for i, x in list : i if x != \"b\"]", "[0,2]"},
      {"{for p in people : p.name => p.age}", "{\"Ann\":7,\"Bob\":8}"},
      {"{for p in people : \"all\" => p.name...}", "{\"all\":[\"Ann\",\"Bob\"]}"},
      {"[for k, v in map : \"${k}${v}\"]", "[\"x1\",\"y2\"]"},
      {"[for x in [1, 2] : [for y in [x, 10] : y * x]]", "[[1,10],[4,20]]"},
  };
  for (const auto& [source, value] : cases) {
    INFO(source);
    CHECK(Text(source) == value);
  }
}

TEST_CASE("each function has its documented result") {
  const std::pair<const char*, const char*> cases[] = {
      {"project()", "\"shop\""},
      {"stack()", "\"dev\""},
      {"organization()", "\"acme\""},
      {"cwd()", "\"/work\""},
      {"rootDirectory()", "\"/work\""},
      {"max(1, 7, 3)", "7"},
      {"min([4, 2, 9]...)", "2"},
      {"length([\"a\", \"b\"])", "2"},
      {"length(map)", "2"},
      {"length(\"\xc3\xa4\xc3\xb6\")", "2"},
      {"split(\",\", \"a,,b,\")", "[\"a\",\"\",\"b\",\"\"]"},
      {"split(\"\", \"abc\")", "[\"a\",\"b\",\"c\"]"},
      {"split(\",\", \"\")", "[\"\"]"},
      {"join(\"-\", list)", "\"a-b-c\""},
      {"element(list, 4)", "\"b\""},
      {"lookup(map, \"x\")", "1"},
      {"lookup(map, \"z\", \"none\")", "\"none\""},
      {"entries(map)[1].key", "\"y\""},
      {"singleOrNone([])", "null"},
      {"singleOrNone([5])", "5"},
      {"range(3)", "[0,1,2]"},
      {"range(1, 3)", "[1,2]"},
      {"toBase64(\"hi\")", "\"aGk=\""},
      {"fromBase64(\"aGk=\")", "\"hi\""},
      {"sha1(\"abc\")", "\"a9993e364706816aba3e25717850c26c9cd0d89d\""},
      {"toJSON({a = [1, null, true], b = \"<&>\"})",
       "\"{\\\"a\\\":[1,null,true],\\\"b\\\":\\\"\\\\u003c\\\\u0026\\\\u003e\\\"}\""},
      {"try(missing, map.z, 4)", "4"},
      {"can(map.z)", "false"},
      {"can(map.x)", "true"},
      {"recover(1, error)", "1"},
      {"pulumiResourceName(producer)", "\"producer\""},
      {"pulumiResourceType(producer)", "\"pkg:index:Res\""},
      {"getOutput({outputs = {a = 1}}, \"a\")", "1"},
      {"getOutput({outputs = {a = 1}}, \"b\")", "null"},
  };
  for (const auto& [source, value] : cases) {
    INFO(source);
    CHECK(Text(source) == value);
  }
}

TEST_CASE("an expression that depends on an unknown is unknown, and others are not") {
  for (const char* source :
       {"unknown + 1", "\"a${unknown}\"", "unknown.x.y", "unknown[0]", "unknown ? 1 : 2", "!unknown", "unknown == 1",
        "[unknown] == [1]", "unknown && true", "length(unknown)", "join(\",\", [unknown])", "toJSON({a = unknown})",
        "[for x in unknown : x]", "{(unknown) = 1}", "[for x in list : x if unknown]", "unknown[*].a"}) {
    INFO(source);
    CHECK(Text(source) == "unknown");
  }
  CHECK(Text("length([unknown])") == "1");
  CHECK(Text("unknown && false") == "false");
  CHECK(Text("unknown || true") == "true");
  CHECK(Text("[unknown, 1][1]") == "1");
}

TEST_CASE("secrets and dependencies go from the parts to the whole") {
  const auto marks = [](const std::string& source) {
    auto datum = Evaluate(source);
    REQUIRE(datum.ok());
    return datum->marks;
  };
  CHECK(marks("\"x${hidden}\"").secret);
  CHECK(marks("hidden == \"a\" ? 1 : 2").secret);
  CHECK(marks("length([hidden])").secret);
  CHECK(marks("secret(1)").secret);
  CHECK_FALSE(marks("unsecret(hidden)").secret);
  CHECK(marks("toJSON({a = hidden})").secret);
  CHECK(marks("producer.value").dependencies == std::vector<Urn>{kProducer});
  CHECK(marks("producer.inner").secret);
  CHECK(marks("[for x in [producer.value] : x][0]").dependencies == std::vector<Urn>{kProducer});
  CHECK_FALSE(marks("[1, hidden][0]").secret);
  auto list = Evaluate("[hidden, producer.value]");
  REQUIRE(list.ok());
  CHECK(list->value.as_array()[0].is_secret());
  CHECK(list->value.as_array()[1].as_output().dependencies == std::vector<Urn>{kProducer});
}

TEST_CASE("mistakes are reported with their place, and without the text of secrets") {
  const std::pair<const char*, const char*> cases[] = {
      {"missing",
       "1,1: undefined variable missing: a snippet knows the names of its references, and 'range' if it "
       "has one"},
      {"1 +\n", "1,4: expected a value, found the end of the line"},
      {"  map.z", "1,6: there is no attribute 'z'"},
      {"s.x", "1,2: only objects have attributes; '.x' was asked of a text"},
      {"list[3]", "1,5: the list has no such element: it has 3"},
      {"list[0.5]", "1,5: the index of a list must be a whole number"},
      {"1 / 0", "1,3: division by zero"},
      {"1 + list", "1,3: '+' needs numbers, and got a list"},
      {"\"${list} x\"", "1,4: a template can hold texts, numbers and bools, not a list"},
      {"[for x in 1 : x]", "1,11: 'for' walks over lists and objects, not a number"},
      {"{for p in people : \"k\" => p.age}",
       "1,20: two elements have the same key: put '...' after the value to keep both"},
      {"nope(1)", "1,1: unknown function 'nope'"},
      {"split(1)", "1,1: function 'split' takes 2 arguments, not 1"},
      {"max()", "1,1: function 'max' takes at least 1 arguments, not 0"},
      {"length(null)", "1,1: argument 1 of 'length' must not be null"},
      {"fromBase64(\"!\")", "1,1: fromBase64: the argument is not base64"},
      {"fromBase64(hidden)", "1,1: fromBase64: the secret argument is not valid"},
      {"length(5)", "1,1: length: only texts, lists and objects have a length, not a number"},
      {"notImplemented(\"later\")", "1,1: notImplemented: later"},
      {"readFile(\"x\")",
       "1,1: function 'readFile' is not offered: snippets cannot read files: put the content into the snippet, or "
       "into the program"},
      {"invoke(s, {})", "1,1: invoke token must be a string literal"},
      {"invoke(\"x\", {})", "1,1: malformed token 'x': expected 'pkg:module:member' or 'pkg:member'"},
      {"invoke(\"pkg:f\", {})", "1,1: unknown function 'pkg:f'"},
      {"try(missing)",
       "1,1: no expression succeeded: 1,5: undefined variable missing: a snippet knows the names of "
       "its references, and 'range' if it has one"},
  };
  for (const auto& [source, error] : cases) {
    INFO(source);
    CHECK(Text(source) == std::string("error ") + error);
  }
}

}  // namespace kingpost::pcl::evaluator_test
