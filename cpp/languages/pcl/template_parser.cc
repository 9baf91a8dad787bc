// SPDX-License-Identifier: Apache-2.0
// Templates: text with ${values} and %{if}, %{for} around parts of it.
#include "languages/pcl/expression_parser.h"

namespace kingpost::pcl {

void ExpressionParser::EndSequence() {
  if (!Is(TokenKind::kEndSequence)) return FailHere("'}'");
  Take();
}

// Up to the directive that ends what surrounds them, or to the end of the template: then *end has no text. A text of
// which nothing is left is null.
std::vector<ExpressionPtr> ExpressionParser::ParseParts(Token* end) {
  const auto level = Deeper();
  std::vector<ExpressionPtr> parts;
  while (!failed()) {
    const Token token = Take();
    *end = {token.kind, "", token.at};
    if (token.kind == TokenKind::kCloseTemplate) break;
    if (token.kind == TokenKind::kText) {
      parts.push_back(token.text.empty() ? nullptr : Make(token.at, Literal{Value(token.text)}));
      continue;
    }
    const auto ignored = IgnoreNewlines(true);
    if (token.kind == TokenKind::kInterpolation) {
      parts.push_back(Parse());
      EndSequence();
      continue;
    }
    const Token keyword = Take();
    if (keyword.text == "if") {
      parts.push_back(ParseIf(token.at));
    } else if (keyword.text == "for") {
      parts.push_back(ParseForDirective(token.at));
    } else {
      end->text = keyword.text;
      if (keyword.text != "else" && keyword.text != "endif" && keyword.text != "endfor") {
        Fail(keyword.at, "expected if, else, endif, for or endfor after %{");
      }
      EndSequence();
      break;
    }
  }
  return parts;
}

ExpressionPtr ExpressionParser::MakeTemplate(Position at, std::vector<ExpressionPtr> parts) {
  std::erase(parts, nullptr);
  return Make(at, Template{std::move(parts)});
}

// "${x}" alone is x, whatever its type; text alone is a text.
ExpressionPtr ExpressionParser::ParseTemplate() {
  const Token open = Take();
  const bool quoted = open.text == "\"";
  const bool begins_with_value = Is(TokenKind::kInterpolation);
  Token end;
  std::vector<ExpressionPtr> parts = ParseParts(&end);
  if (!end.text.empty()) Fail(end.at, "no %{if} or %{for} is open here");
  if (quoted && begins_with_value && parts.size() == 1) return Make(open.at, Parentheses{parts.front()});
  std::erase(parts, nullptr);
  if (parts.empty()) return Make(open.at, Literal{Value("")});
  const Literal* text = parts.size() == 1 ? parts.front()->as<Literal>() : nullptr;
  return text ? Make(open.at, *text) : Make(open.at, Template{std::move(parts)});
}

ExpressionPtr ExpressionParser::ParseIf(Position at) {
  const ExpressionPtr condition = Parse();
  EndSequence();
  Token end;
  const ExpressionPtr then = MakeTemplate(at, ParseParts(&end));
  const ExpressionPtr otherwise =
      end.text == "else" ? MakeTemplate(at, ParseParts(&end)) : Make(at, Literal{Value("")});
  if (end.text != "endif") Fail(at, "this is never ended: %{ endif } is missing");
  return Make(at, Conditional{condition, then, otherwise});
}

// The texts that the loop makes, joined.
ExpressionPtr ExpressionParser::ParseForDirective(Position at) {
  For loop;
  ParseForIntroduction(&loop);
  EndSequence();
  Token end;
  loop.value = MakeTemplate(at, ParseParts(&end));
  if (end.text != "endfor") Fail(at, "this is never ended: %{ endfor } is missing");
  return Make(at, Call{"join", {Make(at, Literal{Value("")}), Make(at, std::move(loop))}});
}

}  // namespace kingpost::pcl
