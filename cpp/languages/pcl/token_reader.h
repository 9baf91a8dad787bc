// SPDX-License-Identifier: Apache-2.0
// The shared state of the parser's parts: the place in the tokens, the first error, and the bound on nesting.
// After an error every question is answered as if the text had ended, so that the parser comes back soon. Any
// thread.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "languages/pcl/ast.h"
#include "languages/pcl/lexer.h"

namespace kingpost::pcl {

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

  // The next token; line breaks are passed over inside brackets.
  const Token& Peek() {
    if (ignore_newlines_ > 0) SkipNewlines();
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
  bool IsOperator(const char* text) { return Is(TokenKind::kOperator) && Peek().text == text; }
  bool IsKeyword(const char* text) { return Is(TokenKind::kIdentifier) && Peek().text == text; }
  bool Accept(const char* text) {
    if (!IsOperator(text)) return false;
    Take();
    return true;
  }
  // `what` completes "expected ...".
  void Expect(const char* text, const char* what) {
    if (!Accept(text)) Fail(Peek().at, std::string("expected ") + what + Found());
  }
  std::string ExpectIdentifier(const char* what) {
    if (!Is(TokenKind::kIdentifier)) {
      Fail(Peek().at, std::string("expected ") + what + Found());
      return "";
    }
    return Take().text;
  }
  std::string Found() {
    switch (Peek().kind) {
      case TokenKind::kEnd:
        return ", found the end of the text";
      case TokenKind::kNewline:
        return ", found the end of the line";
      case TokenKind::kOpenTemplate:
        return ", found a quoted text";
      default:
        return ", found '" + Peek().text + "'";
    }
  }

  ExpressionPtr Make(Position at, Expression::Node node) {
    auto expression = std::make_shared<Expression>(Expression{std::move(node), at, 1});
    for (const ExpressionPtr& part : PartsOf(*expression)) {
      expression->depth = std::max(expression->depth, part->depth + 1);
    }
    if (expression->depth <= kDepthMax) return expression;
    Fail(at, "this is nested too deeply");
    return Nothing(at);
  }
  static ExpressionPtr Nothing(Position at) { return std::make_shared<Expression>(Expression{Literal{}, at, 1}); }

  // While it lives, line breaks mean nothing (or do mean something again, inside braces).
  class Newlines {
   public:
    Newlines(TokenReader* reader, bool ignored) : reader_(reader), before_(reader->ignore_newlines_) {
      reader_->ignore_newlines_ = ignored ? 1 : 0;
    }
    ~Newlines() { reader_->ignore_newlines_ = before_; }
    Newlines(const Newlines&) = delete;

   private:
    TokenReader* reader_;
    int before_;
  };

  // Counts how deep the parser itself is.
  class Level {
   public:
    explicit Level(TokenReader* reader) : reader_(reader) {
      if (++reader_->level_ > kDepthMax) reader_->Fail(reader_->Peek().at, "this is nested too deeply");
    }
    ~Level() { --reader_->level_; }
    Level(const Level&) = delete;

   private:
    TokenReader* reader_;
  };

 private:
  std::vector<Token> tokens_;
  size_t at_ = 0;
  int ignore_newlines_ = 0;
  int level_ = 0;
  Status status_;
};

}  // namespace kingpost::pcl
