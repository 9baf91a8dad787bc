// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/expression_parser.h"

#include <cmath>
#include <cstdlib>

namespace kingpost::pcl {

namespace {

// Weakest first.
const std::vector<std::vector<const char*>>& Levels() {
  static const std::vector<std::vector<const char*>> kLevels = {
      {"||"}, {"&&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"+", "-"}, {"*", "/", "%"}};
  return kLevels;
}

}  // namespace

ExpressionPtr ExpressionParser::ParseConditional() {
  const TokenReader::Level level(&in_);
  const Position at = in_.Peek().at;
  ExpressionPtr condition = ParseBinary(0);
  if (!in_.Accept("?")) return condition;
  ExpressionPtr then = ParseConditional();
  in_.Expect(":", "':' and the other value of the condition");
  ExpressionPtr otherwise = ParseConditional();
  return in_.Make(at, Conditional{condition, then, otherwise});
}

ExpressionPtr ExpressionParser::ParseBinary(size_t level) {
  if (level == Levels().size()) return ParseUnary();
  ExpressionPtr left = ParseBinary(level + 1);
  for (;;) {
    const char* op = nullptr;
    for (const char* candidate : Levels()[level]) {
      if (in_.IsOperator(candidate)) op = candidate;
    }
    if (!op) return left;
    const Position at = in_.Take().at;
    ExpressionPtr right = ParseBinary(level + 1);
    left = in_.Make(at, Binary{op, left, right});
  }
}

ExpressionPtr ExpressionParser::ParseUnary() {
  if (!in_.IsOperator("-") && !in_.IsOperator("!")) return ParseTraversal();
  const TokenReader::Level level(&in_);
  const Token op = in_.Take();
  return in_.Make(op.at, Unary{op.text, ParseUnary()});
}

ExpressionPtr ExpressionParser::ParseTraversal() {
  ExpressionPtr expression = ParsePrimary();
  for (;;) {
    const Position at = in_.Peek().at;
    if (in_.Accept(".")) {
      expression = ParseDot(expression, at);
    } else if (in_.Accept("[")) {
      expression = ParseBracket(expression, at);
    } else {
      return expression;
    }
  }
}

// After the dot: a name, an index in the old form (a.0), or a splat.
ExpressionPtr ExpressionParser::ParseDot(ExpressionPtr object, Position at) {
  if (in_.Accept("*")) return ParseSplat(object, false, at);
  if (in_.Is(TokenKind::kNumber)) {
    // a.0.1 has the number 0.1 in it.
    std::string text = in_.Take().text;
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find('.', begin), text.size());
      const double index = std::strtod(text.substr(begin, end - begin).c_str(), nullptr);
      object = in_.Make(at, GetIndex{object, in_.Make(at, Literal{Value(index)})});
      begin = end + 1;
    }
    return object;
  }
  const std::string name = in_.ExpectIdentifier("the name of an attribute after '.'");
  return in_.Make(at, GetAttribute{object, name});
}

ExpressionPtr ExpressionParser::ParseBracket(const ExpressionPtr& object, Position at) {
  bool splat = false;
  ExpressionPtr key;
  {
    const TokenReader::Newlines ignored(&in_, true);
    splat = in_.Accept("*");
    if (!splat) key = Parse();
    if (!in_.IsOperator("]")) in_.Fail(in_.Peek().at, "expected ']' after the index" + in_.Found());
  }
  in_.Take();
  return splat ? ParseSplat(object, true, at) : in_.Make(at, GetIndex{object, key});
}

// A path behind a splat applies to each element; after the old form (.*) only names do.
ExpressionPtr ExpressionParser::ParseSplat(const ExpressionPtr& source, bool full, Position at) {
  ExpressionPtr each = in_.Make(at, SplatElement{});
  for (;;) {
    const Position next = in_.Peek().at;
    if (in_.Accept(".")) {
      each = ParseDot(each, next);
    } else if (full && in_.Accept("[")) {
      each = ParseBracket(each, next);
    } else {
      return in_.Make(at, Splat{source, each});
    }
  }
}

ExpressionPtr ExpressionParser::ParsePrimary() {
  const Position at = in_.Peek().at;
  switch (in_.Peek().kind) {
    case TokenKind::kNumber:
      return ParseNumber();
    case TokenKind::kOpenTemplate:
      return ParseTemplate();
    case TokenKind::kIdentifier:
      return ParseIdentifier();
    default:
      break;
  }
  if (in_.IsOperator("[")) return ParseTuple();
  if (in_.IsOperator("{")) return ParseObject();
  if (in_.Accept("(")) {
    ExpressionPtr inner;
    {
      const TokenReader::Newlines ignored(&in_, true);
      inner = Parse();
      if (!in_.IsOperator(")")) in_.Fail(in_.Peek().at, "expected ')'" + in_.Found());
    }
    in_.Take();
    return in_.Make(at, Parentheses{inner});
  }
  in_.Fail(at, "expected a value" + in_.Found());
  return TokenReader::Nothing(at);
}

ExpressionPtr ExpressionParser::ParseNumber() {
  const Token token = in_.Take();
  const double number = std::strtod(token.text.c_str(), nullptr);
  if (!std::isfinite(number)) in_.Fail(token.at, "this number is too large");
  return in_.Make(token.at, Literal{Value(number)});
}

ExpressionPtr ExpressionParser::ParseIdentifier() {
  const Token token = in_.Take();
  if (in_.IsOperator("(")) return ParseCall(token.text, token.at);
  if (token.text == "true") return in_.Make(token.at, Literal{Value(true)});
  if (token.text == "false") return in_.Make(token.at, Literal{Value(false)});
  if (token.text == "null") return in_.Make(token.at, Literal{Value()});
  return in_.Make(token.at, Variable{token.text});
}

ExpressionPtr ExpressionParser::ParseCall(const std::string& function, Position at) {
  Call call;
  call.function = function;
  {
    in_.Take();
    const TokenReader::Newlines ignored(&in_, true);
    while (!in_.failed() && !in_.IsOperator(")")) {
      call.arguments.push_back(Parse());
      call.expand_last = in_.Accept("...");
      if (call.expand_last || !in_.Accept(",")) break;
    }
    if (!in_.IsOperator(")")) in_.Fail(in_.Peek().at, "expected ',' or ')' after an argument" + in_.Found());
  }
  in_.Take();
  return in_.Make(at, std::move(call));
}

ExpressionPtr ExpressionParser::ParseTuple() {
  const Position at = in_.Take().at;
  ExpressionPtr result;
  {
    const TokenReader::Newlines ignored(&in_, true);
    if (in_.IsKeyword("for")) {
      result = ParseFor(at, "]", false);
    } else {
      TupleLiteral tuple;
      while (!in_.failed() && !in_.IsOperator("]")) {
        tuple.elements.push_back(Parse());
        if (!in_.Accept(",")) break;
      }
      result = in_.Make(at, std::move(tuple));
    }
    if (!in_.IsOperator("]")) in_.Fail(in_.Peek().at, "expected ',' or ']' after an element" + in_.Found());
  }
  in_.Take();
  return result;
}

// A name alone is itself; another expression is computed.
ExpressionPtr ExpressionParser::ParseObjectKey() {
  if (in_.Is(TokenKind::kIdentifier)) {
    const Token name = in_.Take();
    if (in_.IsOperator("=") || in_.IsOperator(":")) return in_.Make(name.at, Literal{Value(name.text)});
    in_.Fail(name.at, "a computed key must stand in parentheses: (" + name.text + "...) = value");
    return TokenReader::Nothing(name.at);
  }
  return Parse();
}

ExpressionPtr ExpressionParser::ParseObject() {
  const Position at = in_.Take().at;
  ExpressionPtr result;
  {
    const TokenReader::Newlines significant(&in_, false);
    in_.SkipNewlines();
    if (in_.IsKeyword("for")) {
      const TokenReader::Newlines ignored(&in_, true);
      result = ParseFor(at, "}", true);
      if (!in_.IsOperator("}")) in_.Fail(in_.Peek().at, "expected '}'" + in_.Found());
    } else {
      ObjectLiteral object;
      while (!in_.failed() && !in_.IsOperator("}")) {
        ObjectLiteral::Item item;
        item.key = ParseObjectKey();
        if (!in_.Accept("=")) in_.Expect(":", "'=' after the key");
        item.value = Parse();
        object.items.push_back(std::move(item));
        const bool separated = in_.Accept(",") || in_.Is(TokenKind::kNewline);
        in_.SkipNewlines();
        if (!separated) break;
      }
      result = in_.Make(at, std::move(object));
      if (!in_.IsOperator("}")) {
        in_.Fail(in_.Peek().at, "expected ',', a line break or '}' after the value" + in_.Found());
      }
    }
  }
  in_.Take();
  return result;
}

// "for key, value in collection"
void ExpressionParser::ParseForIntroduction(For* node) {
  in_.Take();
  node->value_name = in_.ExpectIdentifier("a name after 'for'");
  if (in_.Accept(",")) {
    node->key_name = std::move(node->value_name);
    node->value_name = in_.ExpectIdentifier("a second name after ','");
  }
  if (!in_.IsKeyword("in")) {
    in_.Fail(in_.Peek().at, "expected 'in' and a collection" + in_.Found());
    return;
  }
  in_.Take();
  node->collection = Parse();
}

ExpressionPtr ExpressionParser::ParseFor(Position at, const char* close, bool object) {
  For node;
  node.collection = node.value = TokenReader::Nothing(at);
  ParseForIntroduction(&node);
  in_.Expect(":", "':' after the collection of 'for'");
  node.value = Parse();
  if (object) {
    node.key = node.value;
    in_.Expect("=>", "'=>' and a value after the key");
    node.value = Parse();
    node.group = in_.Accept("...");
  }
  if (in_.IsKeyword("if")) {
    in_.Take();
    node.condition = Parse();
  }
  if (!in_.IsOperator(close)) {
    in_.Fail(in_.Peek().at, std::string("expected 'if' or '") + close + "' at the end of 'for'" + in_.Found());
  }
  return in_.Make(at, std::move(node));
}

}  // namespace kingpost::pcl
