// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/parser.h"

#include <set>

#include "languages/pcl/expression_parser.h"

namespace kingpost::pcl {

namespace {

class BodyParser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  // Up to the end of the text, or up to the brace that ends a block.
  Body ParseBody(bool nested);

 private:
  Block ParseBlock(const Token& type);
};

Body BodyParser::ParseBody(bool nested) {
  Body body;
  std::set<std::string> names;
  for (SkipNewlines(); !failed() && !Is(TokenKind::kEnd) && !(nested && Is("}")); SkipNewlines()) {
    if (!Is(TokenKind::kIdentifier)) {
      FailHere("an attribute (name = value) or a block");
      break;
    }
    const Token name = Take();
    if (Accept("=")) {
      if (!names.insert(name.text).second) Fail(name.at, "attribute '" + name.text + "' is set twice");
      body.attributes.push_back({name.text, Parse(), name.at});
    } else {
      body.blocks.push_back(ParseBlock(name));
    }
    const bool ended = Is(TokenKind::kNewline) || Is(TokenKind::kEnd) || (nested && Is("}"));
    if (!ended) FailHere("the end of the line");
  }
  body.end = Peek().at;
  return body;
}

Block BodyParser::ParseBlock(const Token& type) {
  const auto level = Deeper();
  Block block{.type = type.text, .labels = {}, .at = type.at, .body = {}};
  while (Is(TokenKind::kIdentifier) || Is(TokenKind::kOpenTemplate)) {
    if (Is(TokenKind::kIdentifier)) {
      block.labels.push_back(Take().text);
      continue;
    }
    const Position at = Peek().at;
    const ExpressionPtr label = Parse();
    const std::string* text = LiteralText(label);
    if (!text) {
      Fail(at, "a label must be a text without sequences");
      return block;
    }
    block.labels.push_back(*text);
  }
  Expect("{", "'=' and a value, or '{' and a block");
  block.body = ParseBody(true);
  Expect("}", "'}' at the end of the block");
  return block;
}

}  // namespace

Result<Body> ParseBody(std::string_view source) {
  auto tokens = Tokenize(source);
  if (!tokens.ok()) return tokens.status();
  BodyParser parser(std::move(*tokens));
  Body body = parser.ParseBody(false);
  if (parser.failed()) return parser.status();
  return body;
}

Result<ExpressionPtr> ParseExpression(std::string_view source) {
  auto tokens = Tokenize(source);
  if (!tokens.ok()) return tokens.status();
  ExpressionParser parser(std::move(*tokens));
  ExpressionPtr expression = parser.Parse();
  parser.SkipNewlines();
  if (!parser.Is(TokenKind::kEnd)) parser.FailHere("the end of the text");
  if (parser.failed()) return parser.status();
  return expression;
}

}  // namespace kingpost::pcl
