// SPDX-License-Identifier: Apache-2.0
// Expressions and templates, by recursive descent: one function for each level of the grammar. Any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "languages/pcl/ast.h"
#include "languages/pcl/lexer.h"

namespace kingpost::pcl {

// The place in the tokens, the first error, and the bound on nesting. After an error every question is answered as if
// the text had ended, so that the parser comes back soon.
class TokenReader {
 public:
  static constexpr int kDepthMax = 200;

  explicit TokenReader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Status& status() const { return status_; }
  bool failed() const { return !status_.ok(); }
  void Fail(Position at, const std::string& message) {
    if (!failed()) status_ = ErrorAt(at, message);
    at_ = tokens_.size() - 1;
  }
  // `what` completes "expected ...".
  void FailHere(const std::string& what) {
    std::string found = "'" + Peek().text + "'";
    if (Is(TokenKind::kEnd)) found = "the end of the text";
    if (Is(TokenKind::kNewline)) found = "the end of the line";
    if (Is(TokenKind::kOpenTemplate)) found = "a quoted text";
    Fail(Peek().at, "expected " + what + ", found " + found);
  }

  // The next token; line breaks are passed over inside brackets.
  const Token& Peek() {
    if (ignore_newlines_) SkipNewlines();
    return tokens_[at_];
  }
  Token Take() {
    const Token token = Peek();
    if (token.kind != TokenKind::kEnd) ++at_;
    return token;
  }
  void SkipNewlines() {
    while (tokens_[at_].kind == TokenKind::kNewline) ++at_;
  }

  bool Is(TokenKind kind) { return Peek().kind == kind; }
  // An operator or a keyword.
  bool Is(const char* text) { return (Is(TokenKind::kOperator) || Is(TokenKind::kIdentifier)) && Peek().text == text; }
  bool Accept(const char* text) {
    if (!Is(text)) return false;
    Take();
    return true;
  }
  void Expect(const char* text, const std::string& what) {
    if (!Accept(text)) FailHere(what);
  }
  std::string ExpectIdentifier(const char* what) {
    if (Is(TokenKind::kIdentifier)) return Take().text;
    FailHere(what);
    return "";
  }

  ExpressionPtr Make(Position at, Expression::Node node) {
    ExpressionPtr expression = pcl::Make(std::move(node), at);
    if (expression->depth <= kDepthMax) return expression;
    Fail(at, "this is nested too deeply");
    return pcl::Make(Literal{}, at);
  }

  // While it lives, a variable has another value.
  template <class T>
  class Scoped {
   public:
    Scoped(T* variable, T value) : variable_(*variable), before_(std::exchange(*variable, value)) {}
    ~Scoped() { variable_ = before_; }
    Scoped(const Scoped&) = delete;

   private:
    T& variable_;
    const T before_;
  };
  // Line breaks mean nothing, or do mean something again, inside braces.
  Scoped<bool> IgnoreNewlines(bool ignored) { return {&ignore_newlines_, ignored}; }
  // The parser itself is one level deeper.
  Scoped<int> Deeper() {
    if (level_ >= kDepthMax) Fail(Peek().at, "this is nested too deeply");
    return {&level_, level_ + 1};
  }

 private:
  std::vector<Token> tokens_;
  size_t at_ = 0;
  bool ignore_newlines_ = false;
  int level_ = 0;
  Status status_;
};

class ExpressionParser : public TokenReader {
 public:
  using TokenReader::TokenReader;

  ExpressionPtr Parse();

 private:
  ExpressionPtr ParseBinary(int weakest);
  ExpressionPtr ParseUnary();
  ExpressionPtr ParsePath(ExpressionPtr object, bool indices);
  ExpressionPtr ParseDot(ExpressionPtr object, Position at);
  ExpressionPtr ParseBracket(const ExpressionPtr& object, Position at);
  ExpressionPtr ParseSplat(const ExpressionPtr& source, bool full, Position at);
  ExpressionPtr ParsePrimary();
  ExpressionPtr ParseCall(const std::string& function, Position at);
  ExpressionPtr ParseTuple();
  ExpressionPtr ParseObject();
  ExpressionPtr ParseObjectKey();
  ExpressionPtr ParseFor(Position at, const std::string& close);
  void ParseForIntroduction(For* node);

  // template_parser.cc
  ExpressionPtr ParseTemplate();
  std::vector<ExpressionPtr> ParseParts(Token* end);
  ExpressionPtr ParseIf(Position at);
  ExpressionPtr ParseForDirective(Position at);
  ExpressionPtr MakeTemplate(Position at, std::vector<ExpressionPtr> parts);
  void EndSequence();
};

}  // namespace kingpost::pcl
