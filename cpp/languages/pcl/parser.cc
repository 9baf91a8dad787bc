// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/parser.h"

#include <set>

#include "languages/pcl/expression_parser.h"

namespace kingpost::pcl {

namespace {

class BodyParser {
 public:
  explicit BodyParser(TokenReader* reader) : in_(*reader) {}

  // Up to the end of the text, or up to the brace that ends a block.
  Body Parse(bool nested);

 private:
  Block ParseBlock(const Token& type);
  void ExpectLineEnd(bool nested);

  TokenReader& in_;
};

void BodyParser::ExpectLineEnd(bool nested) {
  if (in_.Is(TokenKind::kNewline) || in_.Is(TokenKind::kEnd) || (nested && in_.IsOperator("}"))) return;
  in_.Fail(in_.Peek().at, "expected the end of the line" + in_.Found());
}

Body BodyParser::Parse(bool nested) {
  Body body;
  std::set<std::string> names;
  for (in_.SkipNewlines(); !in_.failed() && !in_.Is(TokenKind::kEnd); in_.SkipNewlines()) {
    if (nested && in_.IsOperator("}")) break;
    const Position at = in_.Peek().at;
    if (!in_.Is(TokenKind::kIdentifier)) {
      in_.Fail(at, "expected an attribute (name = value) or a block" + in_.Found());
      break;
    }
    const Token name = in_.Take();
    if (in_.Accept("=")) {
      if (!names.insert(name.text).second) in_.Fail(at, "attribute '" + name.text + "' is set twice");
      body.attributes.push_back({name.text, ExpressionParser(&in_).Parse(), at});
    } else {
      body.blocks.push_back(ParseBlock(name));
    }
    ExpectLineEnd(nested);
  }
  body.end = in_.Peek().at;
  return body;
}

Block BodyParser::ParseBlock(const Token& type) {
  const TokenReader::Level level(&in_);
  Block block;
  block.type = type.text;
  block.at = type.at;
  while (in_.Is(TokenKind::kIdentifier) || in_.Is(TokenKind::kOpenTemplate)) {
    if (in_.Is(TokenKind::kIdentifier)) {
      block.labels.push_back(in_.Take().text);
      continue;
    }
    const Position at = in_.Peek().at;
    const ExpressionPtr label = ExpressionParser(&in_).Parse();
    const Literal* text = label->as<Literal>();
    if (!text || !text->value.is_string()) {
      in_.Fail(at, "a label must be a text without sequences");
      return block;
    }
    block.labels.push_back(text->value.as_string());
  }
  if (!in_.IsOperator("{")) {
    in_.Fail(in_.Peek().at, "expected '=' and a value, or '{' and a block" + in_.Found());
    return block;
  }
  in_.Take();
  block.body = Parse(true);
  in_.Expect("}", "'}' at the end of the block");
  return block;
}

}  // namespace

Result<Body> ParseBody(std::string_view source) {
  auto tokens = Tokenize(source);
  if (!tokens.ok()) return tokens.status();
  TokenReader reader(std::move(*tokens));
  Body body = BodyParser(&reader).Parse(false);
  if (reader.failed()) return reader.status();
  return body;
}

Result<ExpressionPtr> ParseExpression(std::string_view source) {
  auto tokens = Tokenize(source);
  if (!tokens.ok()) return tokens.status();
  TokenReader reader(std::move(*tokens));
  ExpressionPtr expression = ExpressionParser(&reader).Parse();
  reader.SkipNewlines();
  if (!reader.failed() && !reader.Is(TokenKind::kEnd)) {
    reader.Fail(reader.Peek().at, "expected the end of the text" + reader.Found());
  }
  if (reader.failed()) return reader.status();
  return expression;
}

}  // namespace kingpost::pcl
