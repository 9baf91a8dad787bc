// SPDX-License-Identifier: Apache-2.0
// Checks the parser of snippets: what it accepts, what it refuses and at which place, and that no text crashes it.
#include "languages/pcl/parser.h"

#include <catch2/catch.hpp>
#include <random>

#include "languages/pcl/request_parts.h"

namespace kingpost::pcl::parser_test {

std::string ErrorOf(const std::string& source) {
  auto body = ParseBody(source);
  return body.ok() ? "" : body.status().message();
}

TEST_CASE("a body has attributes and blocks in their order") {
  auto body = ParseBody(
      "# a comment\n"
      "first = 1 // another\n"
      "second = \"two\"\n"
      "options {\n  protect = true\n}\n"
      "block \"a b\" label {}\n");
  REQUIRE(body.ok());
  REQUIRE(body->attributes.size() == 2);
  CHECK(body->attributes[0].name == "first");
  CHECK(body->attributes[1].at.line == 3);
  REQUIRE(body->blocks.size() == 2);
  CHECK(body->blocks[0].type == "options");
  CHECK(body->blocks[0].body.Find("protect") != nullptr);
  CHECK(body->blocks[1].labels == std::vector<std::string>{"a b", "label"});
}

TEST_CASE("errors say where they are, in characters") {
  struct Case {
    const char *source, *error;
  };
  const Case cases[] = {
      {"a = ", "1,5: expected a value, found the end of the text"},
      {"a = 1 b = 2", "1,7: expected the end of the line, found 'b'"},
      {"a = 1\na = 2", "2,1: attribute 'a' is set twice"},
      {"\n  = 1", "2,3: expected an attribute (name = value) or a block, found '='"},
      {"a = \"\xc3\xa4\xc3\xa4\" @", "1,10: unexpected character \"@\""},
      {"a = [1, 2", "1,10: expected ',' or ']' after an element, found the end of the text"},
      {"a = {", "1,5: this brace is never closed"},
      {"a = }", "1,5: unexpected }"},
      {"a = \"x", "1,5: unterminated text: its closing quote is missing"},
      {"a = \"x\ny\"", "1,7: a quoted text must end on its line: use \\n, or a heredoc for several lines"},
      {"a = \"\\q\"", "1,6: unknown escape: use \\n, \\r, \\t, \\\", \\\\, \\uNNNN or \\UNNNNNNNN"},
      {"a = \"\\ud800\"", "1,6: this escape names no Unicode character"},
      {"a = <<END\ntext\n", "1,5: unterminated heredoc: a line with only its name ends it"},
      {"a = /* x", "1,5: unterminated comment: end it with */"},
      {"a = f(1", "1,8: expected ',' or ')' after an argument, found the end of the text"},
      {"a = 1 ? 2", "1,10: expected ':' and the other value of the condition, found the end of the text"},
      {"a = [for x of y : x]", "1,12: expected 'in' and a collection, found 'of'"},
      {"a = {x.y = 1}", "1,6: a computed key must stand in parentheses: (x...) = value"},
      {"a = \"%{ if true }x\"", "1,6: this is never ended: %{ endif } is missing"},
      {"a = \"%{ endfor }\"", "1,6: no %{if} or %{for} is open here"},
      {"a = 1e", "1,5: invalid number: an exponent needs digits"},
      {"a = 1e400", "1,5: this number is too large"},
      {"block {", "1,7: this brace is never closed"},
      {"block x = 1", "1,9: expected '=' and a value, or '{' and a block, found '='"},
  };
  for (const Case& c : cases) {
    INFO(c.source);
    CHECK(ErrorOf(c.source) == c.error);
  }
}

TEST_CASE("nesting is bounded, in text and in the tree") {
  const auto repeat = [](const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
  };
  const std::string deep = "nested too deeply";
  CHECK(ErrorOf("a = " + repeat("(", 100000)).find(deep) != std::string::npos);
  CHECK(ErrorOf("a = " + repeat("[", 100000)).find(deep) != std::string::npos);
  CHECK(ErrorOf("a = " + repeat("!", 100000) + "true").find(deep) != std::string::npos);
  CHECK(ErrorOf("a = 1" + repeat(" + 1", 100000)).find(deep) != std::string::npos);
  CHECK(ErrorOf("a = b" + repeat(".c", 100000)).find(deep) != std::string::npos);
  CHECK(ErrorOf("a = " + repeat("\"${", 1000) + repeat("}\"", 1000)).find(deep) != std::string::npos);
  CHECK(ErrorOf(repeat("b {\n", 1000) + repeat("}\n", 1000)).find(deep) != std::string::npos);
  CHECK(ErrorOf("a = " + repeat("(", 100) + "1" + repeat(")", 100)).empty());
}

TEST_CASE("a truncated or damaged body is parsed or refused with a message, and never crashes") {
  const std::string source =
      "name = \"a ${b[0].c} %{ if x ~} y %{ else } z %{ endif }\"\n"
      "list = [for k, v in {a = 1, \"b\" : 2} : \"${k}\" if v > 1]\n"
      "map = {for x in y : x => f(x...)...}\n"
      "text = <<-END\n    one\n      ${two}\n    END\n"
      "number = -1.5e3 * (2 + 3) % 4 >= 5 && !true || a.*.b == a[*].c[0]\n"
      "options {\n  range = 3\n}\n";
  REQUIRE(ErrorOf(source).empty());
  for (size_t size = 0; size < source.size(); ++size) (void)ParseBody(source.substr(0, size));
  const unsigned seed = 20261121;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const std::string alphabet = "{}[]()\"$%~<>-=!&|?:.,*/#\\\n \t\rab0e\xc3\x80\xff";
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = source;
    for (int changes = 0; changes < 3; ++changes) {
      damaged[random() % damaged.size()] = alphabet[random() % alphabet.size()];
    }
    auto body = ParseBody(damaged);
    if (!body.ok()) REQUIRE_FALSE(body.status().message().empty());
  }
}

TEST_CASE("paths are spelled as they stand") {
  const std::pair<const char*, const char*> cases[] = {
      {"a", "a"}, {"a.b", "a.b"}, {"a[0].b", "a[0].b"}, {"a.0", "a[0]"}, {"a[\"x.y\"]", "a[\"x.y\"]"}};
  for (const auto& [source, path] : cases) {
    auto parsed = ParseExpression(source);
    REQUIRE(parsed.ok());
    CHECK(SpelledPath(**parsed) == path);
  }
  for (const char* source : {"1", "a[b]", "f(a)", "a[*].b", "\"a\""}) {
    auto parsed = ParseExpression(source);
    REQUIRE(parsed.ok());
    CHECK_FALSE(SpelledPath(**parsed));
  }
}

}  // namespace kingpost::pcl::parser_test
