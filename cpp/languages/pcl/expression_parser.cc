// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/expression_parser.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace kingpost::pcl {

namespace {

constexpr char kElement[] = "*";  // names the element of a splat; no identifier is spelled so

// How strongly a binary operator binds; 0 if it is none.
int StrengthOf(const Token& token) {
  static constexpr std::pair<std::string_view, int> kStrengths[] = {
      {"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<", 4}, {">", 4}, {"<=", 4},
      {">=", 4}, {"+", 5},  {"-", 5},  {"*", 6},  {"/", 6}, {"%", 6}};
  const auto* found = std::find_if(std::begin(kStrengths), std::end(kStrengths), [&](const auto& each) {
    return token.kind == TokenKind::kOperator && token.text == each.first;
  });
  return found == std::end(kStrengths) ? 0 : found->second;
}

}  // namespace

ExpressionPtr ExpressionParser::Parse() {
  const auto level = Deeper();
  const Position at = Peek().at;
  const ExpressionPtr condition = ParseBinary(1);
  if (!Accept("?")) return condition;
  const ExpressionPtr then = Parse();
  Expect(":", "':' and the other value of the condition");
  return Make(at, Conditional{condition, then, Parse()});
}

ExpressionPtr ExpressionParser::ParseBinary(int weakest) {
  ExpressionPtr left = ParseUnary();
  for (int strength; (strength = StrengthOf(Peek())) >= weakest;) {
    const Token op = Take();
    left = Make(op.at, Binary{op.text, left, ParseBinary(strength + 1)});
  }
  return left;
}

ExpressionPtr ExpressionParser::ParseUnary() {
  if (!Is("-") && !Is("!")) return ParsePath(ParsePrimary(), true);
  const auto level = Deeper();
  const Token op = Take();
  return Make(op.at, Unary{op.text, ParseUnary()});
}

// A path behind a value: names, and indices where they may.
ExpressionPtr ExpressionParser::ParsePath(ExpressionPtr object, bool indices) {
  for (;;) {
    const Position at = Peek().at;
    if (Accept(".")) {
      object = ParseDot(object, at);
    } else if (indices && Accept("[")) {
      object = ParseBracket(object, at);
    } else {
      return object;
    }
  }
}

// After the dot: a name, an index in the old form (a.0), or a splat.
ExpressionPtr ExpressionParser::ParseDot(ExpressionPtr object, Position at) {
  if (Accept("*")) return ParseSplat(object, false, at);
  if (Is(TokenKind::kNumber)) {
    // a.0.1 has the number 0.1 in it.
    const std::string text = Take().text;
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find('.', begin), text.size());
      const double index = std::strtod(text.substr(begin, end - begin).c_str(), nullptr);
      object = Make(at, GetIndex{object, Make(at, Literal{Value(index)})});
      begin = end + 1;
    }
    return object;
  }
  return Make(at, GetAttribute{object, ExpectIdentifier("the name of an attribute after '.'")});
}

ExpressionPtr ExpressionParser::ParseBracket(const ExpressionPtr& object, Position at) {
  ExpressionPtr key;
  {
    const auto ignored = IgnoreNewlines(true);
    if (!Accept("*")) key = Parse();
    Expect("]", "']' after the index");
  }
  return key ? Make(at, GetIndex{object, key}) : ParseSplat(object, true, at);
}

// A path behind a splat applies to each element; after the old form (.*) only names do.
ExpressionPtr ExpressionParser::ParseSplat(const ExpressionPtr& source, bool full, Position at) {
  const ExpressionPtr each = ParsePath(Make(at, Variable{kElement}), full);
  return Make(at, For{.value_name = kElement, .collection = source, .value = each, .splat = true});
}

ExpressionPtr ExpressionParser::ParsePrimary() {
  if (Is(TokenKind::kOpenTemplate)) return ParseTemplate();
  if (Is("[")) return ParseTuple();
  if (Is("{")) return ParseObject();
  const Position at = Peek().at;
  if (Accept("(")) {
    const auto ignored = IgnoreNewlines(true);
    const ExpressionPtr inner = Parse();
    Expect(")", "')'");
    return Make(at, Parentheses{inner});
  }
  if (Is(TokenKind::kNumber)) {
    const double number = std::strtod(Take().text.c_str(), nullptr);
    if (!std::isfinite(number)) Fail(at, "this number is too large");
    return Make(at, Literal{Value(number)});
  }
  const std::string name = ExpectIdentifier("a value");
  if (Is("(")) return ParseCall(name, at);
  if (name == "true" || name == "false") return Make(at, Literal{Value(name == "true")});
  return name == "null" ? Make(at, Literal{}) : Make(at, Variable{name});
}

ExpressionPtr ExpressionParser::ParseCall(const std::string& function, Position at) {
  Take();
  Call call{function, {}};
  const auto ignored = IgnoreNewlines(true);
  while (!failed() && !Is(")")) {
    call.arguments.push_back(Parse());
    call.expand_last = Accept("...");
    if (call.expand_last || !Accept(",")) break;
  }
  Expect(")", "',' or ')' after an argument");
  return Make(at, std::move(call));
}

ExpressionPtr ExpressionParser::ParseTuple() {
  const Position at = Take().at;
  const auto ignored = IgnoreNewlines(true);
  if (Accept("for")) return ParseFor(at, "]");
  TupleLiteral tuple;
  while (!failed() && !Is("]")) {
    tuple.elements.push_back(Parse());
    if (!Accept(",")) break;
  }
  Expect("]", "',' or ']' after an element");
  return Make(at, std::move(tuple));
}

// A name alone is itself; another expression is computed.
ExpressionPtr ExpressionParser::ParseObjectKey() {
  if (!Is(TokenKind::kIdentifier)) return Parse();
  const Token name = Take();
  if (!Is("=") && !Is(":")) {
    Fail(name.at, "a computed key must stand in parentheses: (" + name.text + "...) = value");
  }
  return Make(name.at, Literal{Value(name.text)});
}

ExpressionPtr ExpressionParser::ParseObject() {
  const Position at = Take().at;
  const auto significant = IgnoreNewlines(false);
  SkipNewlines();
  if (Accept("for")) {
    const auto ignored = IgnoreNewlines(true);
    return ParseFor(at, "}");
  }
  ObjectLiteral object;
  while (!failed() && !Is("}")) {
    const ExpressionPtr key = ParseObjectKey();
    if (!Accept("=")) Expect(":", "'=' after the key");
    object.items.push_back({key, Parse()});
    const bool separated = Accept(",") || Is(TokenKind::kNewline);
    SkipNewlines();
    if (!separated) break;
  }
  Expect("}", "',', a line break or '}' after the value");
  return Make(at, std::move(object));
}

// Behind "for": "key, value in collection".
void ExpressionParser::ParseForIntroduction(For* node) {
  node->value_name = ExpectIdentifier("a name after 'for'");
  if (Accept(",")) {
    node->key_name = std::move(node->value_name);
    node->value_name = ExpectIdentifier("a second name after ','");
  }
  if (!Accept("in")) FailHere("'in' and a collection");
  node->collection = Parse();
}

ExpressionPtr ExpressionParser::ParseFor(Position at, const std::string& close) {
  For node;
  ParseForIntroduction(&node);
  Expect(":", "':' after the collection of 'for'");
  node.value = Parse();
  if (close == "}") {
    node.key = node.value;
    Expect("=>", "'=>' and a value after the key");
    node.value = Parse();
    node.group = Accept("...");
  }
  if (Accept("if")) node.condition = Parse();
  Expect(close.c_str(), "'if' or '" + close + "' at the end of 'for'");
  return Make(at, std::move(node));
}

}  // namespace kingpost::pcl
