// SPDX-License-Identifier: Apache-2.0
// Checks the text of changes: long texts, documents in strings, lists, reasons, colours.
#include <catch2/catch.hpp>

#include "console/display/changed_keys.h"
#include "console/display/diff.h"

namespace kingpost::diff_text_test {

StatePtr MakeState(PropertyMap inputs) {
  State state;
  state.urn = Urn("urn:pulumi:dev::p::pkg:m:T::r");
  state.type = "pkg:m:T";
  state.custom = true;
  state.inputs = inputs;
  state.outputs = std::move(inputs);
  return std::make_shared<const State>(std::move(state));
}

StepMetadata Update(PropertyMap old_inputs, PropertyMap new_inputs, StepOp op = StepOp::kUpdate) {
  StepMetadata step;
  step.op = op;
  step.urn = Urn("urn:pulumi:dev::p::pkg:m:T::r");
  step.type = "pkg:m:T";
  step.old_state = MakeState(std::move(old_inputs));
  step.new_state = MakeState(std::move(new_inputs));
  return step;
}

std::string Text(const StepMetadata& step, bool full = false, bool color = false) {
  DiffTextOptions options;
  options.summary = true;
  options.full_output = full;
  const std::string text = StepDiffText(step, options, Painter(color));
  return text.substr(text.find('\n') + 1);  // without "~ pkg:m:T: (update)"
}

std::string Text(Value old_value, Value new_value) {
  return Text(Update({{"v", std::move(old_value)}}, {{"v", std::move(new_value)}}));
}

TEST_CASE("secrets of the configuration are masked in plain texts, and their changes are told", "[cli][diff]") {
  const Masking masking({"hunter", "rabbit"}, false);
  DiffTextOptions options;
  options.summary = true;
  options.masking = &masking;
  const auto text = [&](const char* before, const char* after) {
    const std::string all =
        StepDiffText(Update({{"v", Value(before)}}, {{"v", Value(after)}}), options, Painter(false));
    return all.substr(all.find('\n') + 1);
  };
  CHECK(text("a hunter", "b hunter") == "  ~ v: \"a [secret]\" => \"b [secret]\"\n");
  CHECK(text("hunter", "rabbit") == "  ~ v: \"[secret]\" => \"[secret]\"\n");
  const std::string document = text(R"({"k":"hunter","n":1})", R"({"k":"hunter","n":2})");
  CHECK(document.find("~ n: 1 => 2") != std::string::npos);
  CHECK(document.find("hunter") == std::string::npos);
  CHECK(text("hunter\nsame\nold\n", "hunter\nsame\nnew\n").find("hunter") == std::string::npos);
  const std::string around(100, 'x');
  CHECK(text(("a" + around + "hunter").c_str(), ("b" + around + "hunter").c_str()).find("hunter") == std::string::npos);
}

Value List(std::initializer_list<Value> items) { return Value(Array(items)); }

TEST_CASE("a changed line is shown with the lines around it", "[cli][diff]") {
  std::string before, after;
  for (int i = 0; i < 300; ++i) before += "line " + std::to_string(i) + "\n";
  after = before;
  after.replace(after.find("line 150\n"), 8, "LINE 150");
  CHECK(Text(before, after) ==
        "  ~ v: |\n"
        "        … 148 unchanged lines\n"
        "        line 148\n"
        "        line 149\n"
        "      - line 150\n"
        "      + LINE 150\n"
        "        line 151\n"
        "        line 152\n"
        "        … 147 unchanged lines\n");
  const std::string full = Text(Update({{"v", Value(before)}}, {{"v", Value(after)}}), true);
  CHECK(full.find("line 0\n") != std::string::npos);
  CHECK(full.find("unchanged") == std::string::npos);
}

TEST_CASE("a line break at the end is a change that is seen", "[cli][diff]") {
  CHECK(Text("a\nb", "a\nb\n").find("+ (a line break at the end)") != std::string::npos);
  CHECK(Text("a\nb\n", "a\nb").find("- (the line break at the end)") != std::string::npos);
}

TEST_CASE("a key that the provider names is shown, though the program asks for the same", "[cli][diff]") {
  StepMetadata step = Update({{"prefix", ""}, {"length", 2}}, {{"prefix", ""}, {"length", 2}}, StepOp::kReplace);
  State recorded = *step.old_state;
  recorded.outputs = PropertyMap{{"length", 2}, {"id", "a-b"}};
  step.old_state = std::make_shared<const State>(std::move(recorded));
  step.diffs = {"prefix"};
  step.keys = {"prefix"};
  CHECK(Text(step) == "  + prefix: \"\"  # forces replacement\n    (1 unchanged property hidden)\n");
  step.diffs = {"id", "length"};
  step.keys.clear();
  CHECK(Text(step) == "  ~ id: \"a-b\" => [unknown]\n  ~ length\n    (1 unchanged property hidden)\n");
}

TEST_CASE("strings that hold JSON are compared as values", "[cli][diff]") {
  CHECK(Text(R"({"Action":["a","b"],"Effect":"Allow"})", R"({"Action":["x","a","b"],"Effect":"Allow"})") ==
        "  ~ v: (json) {\n"
        "      ~ Action: [\n"
        "          + [0]: \"x\"\n"
        "            (2 unchanged items hidden)\n"
        "        ]\n"
        "        (1 unchanged property hidden)\n"
        "    }\n");
  CHECK(Text(R"({"a":1})", R"({ "a": 1 })") == "  ~ v: (json) says the same in another layout\n");
  // A double could not tell these apart.
  CHECK(Text(R"({"a":9007199254740993})", R"({"a":9007199254740992})").find("=>") != std::string::npos);
  CHECK(Text("{\"a\":1}", "{broken") == "  ~ v: \"{\\\"a\\\":1}\" => \"{broken\"\n");
  CHECK(Text(R"({"__hidden":1})", R"({"__hidden":2})").find("__hidden: 1 => 2") != std::string::npos);
}

TEST_CASE("strings that hold YAML are compared as values, and their comments as lines", "[cli][diff]") {
  CHECK(Text("a: 1\nb: 2\n", "b: 2\na: 3\n") ==
        "  ~ v: (yaml) {\n"
        "      ~ a: 1 => 3\n"
        "        (1 unchanged property hidden)\n"
        "    }\n");
  CHECK(Text("a: 1\nb: 2\n", "a: 1 # why\nb: 2\n").find("+ a: 1 # why") != std::string::npos);
}

TEST_CASE("lists show inserted, removed, moved and changed items", "[cli][diff]") {
  CHECK(Text(List({"a", "b", "c"}), List({"a", "x", "b", "c"})) ==
        "  ~ v: [\n      + [1]: \"x\"\n        (3 unchanged items hidden)\n    ]\n");
  CHECK(Text(List({"a", "b", "c"}), List({"b", "c"})) ==
        "  ~ v: [\n      - [0]: \"a\"\n        (2 unchanged items hidden)\n    ]\n");
  CHECK(Text(List({"a", "b", "c"}), List({"b", "c", "a"})) ==
        "  ~ v: [\n      ~ [0 => 2]: \"a\"  # moved\n        (2 unchanged items hidden)\n    ]\n");
  CHECK(Text(List({"a", "b"}), List({"a", "x"})) ==
        "  ~ v: [\n      ~ [1]: \"b\" => \"x\"\n        (1 unchanged item hidden)\n    ]\n");
  const Value one = PropertyMap{{"name", "one"}, {"port", 1}};
  const Value two = PropertyMap{{"name", "two"}, {"port", 2}};
  const Value two_changed = PropertyMap{{"name", "two"}, {"port", 22}};
  CHECK(Text(List({one, two}), List({two_changed})) ==
        "  ~ v: [\n"
        "      - [0]: {\n"
        "            name: \"one\"\n"
        "            port: 1\n"
        "        }\n"
        "      ~ [1 => 0]: {\n"
        "          ~ port: 2 => 22\n"
        "            (1 unchanged property hidden)\n"
        "        }\n"
        "    ]\n");
}

TEST_CASE("a property that forces a replacement says so on its line", "[cli][diff]") {
  StepMetadata step = Update({{"a", 1}, {"b", PropertyMap{{"c", 1}, {"d", 1}}}},
                             {{"a", 2}, {"b", PropertyMap{{"c", 2}, {"d", 2}}}}, StepOp::kReplace);
  step.keys = {"a"};
  CHECK(Text(step).find("  ~ a: 1 => 2  # forces replacement\n  ~ b: {\n") == 0);
  step.detailed = DetailedDiff{
      {"a", {DiffKind::kUpdate, true}}, {"b", {DiffKind::kUpdate, true}}, {"b.c", {DiffKind::kUpdateReplace, true}}};
  CHECK(Text(step) ==
        "  ~ a: 1 => 2\n"
        "  ~ b: {\n"
        "      ~ c: 1 => 2  # forces replacement\n"
        "      ~ d: 1 => 2\n"
        "    }\n");
}

TEST_CASE("items that a provider reports one by one are shown once, as a list", "[cli][diff]") {
  StepMetadata step = Update({{"l", List({"a", "b"})}}, {{"l", List({"x", "a", "b"})}});
  step.detailed = DetailedDiff{{"l[0]", {DiffKind::kUpdate, true}},
                               {"l[1]", {DiffKind::kUpdateReplace, true}},
                               {"l[2]", {DiffKind::kAdd, true}}};
  CHECK(Text(step) ==
        "  ~ l: [  # forces replacement\n      + [0]: \"x\"\n        (2 unchanged items hidden)\n    ]\n");
}

TEST_CASE("a hidden property stays hidden inside a property that is shown", "[cli][diff]") {
  StepMetadata step = Update({{"b", PropertyMap{{"c", "old"}}}}, {{"b", PropertyMap{{"c", "new"}}}});
  State hiding = *step.new_state;
  hiding.hide_diffs = {"b.c"};
  step.new_state = std::make_shared<const State>(hiding);
  CHECK(Text(step) == "  ~ b: {\n      ~ c: (hidden)\n    }\n");
}

TEST_CASE("long lines show where they differ", "[cli][diff]") {
  const std::string before = std::string(500, 'x') + "old" + std::string(500, 'y');
  const std::string after = std::string(500, 'x') + "newer" + std::string(500, 'y');
  const std::string x(24, 'x'), y(24, 'y');
  CHECK(Text(before, after) == "  ~ v: \n      - \"…" + x + "old" + y + "…\"\n      + \"…" + x + "newer" + y + "…\"\n");
  // The text is not cut in the middle of a character.
  const std::string umlauts = "ääääääääääääääääääääääääääääääääääääääääääääääääää";
  CHECK(Text(umlauts + "1" + umlauts, umlauts + "2" + umlauts).find("\\ufffd") == std::string::npos);
}

TEST_CASE("old values are red and new ones green, and marks show the same without colours", "[cli][diff]") {
  const std::string text = Text(Update({{"a", 1}}, {{"a", 2}}), false, true);
  CHECK(text == "  \x1b[33m~ a: \x1b[0m\x1b[31m1\x1b[0m => \x1b[32m2\x1b[0m\n");
}

TEST_CASE("the contents of secrets are never compared", "[cli][diff]") {
  const std::string text = Text(Value::Secret(Value("{\"a\":\"one\"}")), Value::Secret(Value("{\"a\":\"two\"}")));
  CHECK(text == "  ~ v: [secret] => [secret]\n");
}

TEST_CASE("rows name the changed properties even if the provider does not", "[cli][diff]") {
  const StepMetadata step = Update({{"size", 1}, {"same", 1}, {"old", 1}}, {{"size", 2}, {"same", 1}, {"tags", 1}});
  CHECK(ChangedKeys(step, Painter(false)) == "-old ~size +tags");
  StepMetadata detailed = step;
  detailed.detailed = DetailedDiff{{"tags", {DiffKind::kAdd, true}}, {"size.big", {DiffKind::kDelete, true}}};
  CHECK(ChangedKeys(detailed, Painter(false)) == "~size +tags");
}

}  // namespace kingpost::diff_text_test
