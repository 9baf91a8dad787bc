// SPDX-License-Identifier: Apache-2.0
// Expressions and templates, by recursive descent: one function for each level of the grammar.
#pragma once

#include "languages/pcl/token_reader.h"

namespace kingpost::pcl {

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenReader* reader) : in_(*reader) {}

  ExpressionPtr Parse() { return ParseConditional(); }

 private:
  ExpressionPtr ParseConditional();
  ExpressionPtr ParseBinary(size_t level);
  ExpressionPtr ParseUnary();
  ExpressionPtr ParseTraversal();
  ExpressionPtr ParseDot(ExpressionPtr object, Position at);
  ExpressionPtr ParseBracket(const ExpressionPtr& object, Position at);
  ExpressionPtr ParseSplat(const ExpressionPtr& source, bool full, Position at);
  ExpressionPtr ParsePrimary();
  ExpressionPtr ParseNumber();
  ExpressionPtr ParseIdentifier();
  ExpressionPtr ParseCall(const std::string& function, Position at);
  ExpressionPtr ParseTuple();
  ExpressionPtr ParseObject();
  ExpressionPtr ParseObjectKey();
  ExpressionPtr ParseFor(Position at, const char* close, bool object);
  void ParseForIntroduction(For* node);

  // template_parser.cc
  struct TemplatePart;
  ExpressionPtr ParseTemplate();
  std::vector<TemplatePart> ReadParts();
  ExpressionPtr BuildTemplate(std::vector<TemplatePart>* parts, Position at, bool unwrap);
  std::vector<ExpressionPtr> BuildSequence(std::vector<TemplatePart>* parts, size_t* next);
  ExpressionPtr BuildIf(std::vector<TemplatePart>* parts, size_t* next);
  ExpressionPtr BuildFor(std::vector<TemplatePart>* parts, size_t* next);
  bool EndDirective(const std::vector<TemplatePart>& parts, size_t* next, const char* keyword, Position begun);

  TokenReader& in_;
};

}  // namespace kingpost::pcl
