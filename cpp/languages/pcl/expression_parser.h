// SPDX-License-Identifier: Apache-2.0
// Expressions and templates, by recursive descent: one function for each level of the grammar.
#pragma once

#include "languages/pcl/token_reader.h"

namespace kingpost::pcl {

class ExpressionParser : public TokenReader {
 public:
  using TokenReader::TokenReader;

  ExpressionPtr Parse();

 private:
  ExpressionPtr ParseBinary(int weakest);
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
