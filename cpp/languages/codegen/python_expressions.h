// SPDX-License-Identifier: Apache-2.0
// Expressions in Python. Any thread.
#pragma once

#include <string>
#include <vector>

#include "languages/codegen/language_expressions.h"

namespace kingpost::codegen {

// A text between quotes: of several lines, if it reads well as such.
std::string PythonText(const std::string& text);
// What a program calls the package of an SDK.
std::string PythonAlias(const std::string& package);

class PythonExpressions final : public LanguageExpressions {
 public:
  PythonExpressions(const Program& program, Variables variables);

  std::string Text(const Expression& expression, int depth) const override;
  std::string Timeouts(const Expression& expression) const;
  std::string Aliases(const Expression& expression) const;

 private:
  std::string Fields(const std::vector<Field>& fields, bool typed, int depth) const;
  std::string StepOf(const PartOf& part) const;

  std::string TextOf(const Literal& literal, int depth) const override;
  std::string TextOf(const ObjectOf& object, int depth) const override;
  std::string TextOf(const PropertyRef& reference, int depth) const override;
  std::string TextOf(const PartOf& part, int depth) const override;
  std::string TextOf(const JoinedText& joined, int depth) const override;
  std::string TextOf(const InvokeOf& invoke, int depth) const override;
  std::string TextOf(const PlaceOf& place, int depth) const override;
  std::string TextOf(const AssetOf& asset, int depth) const override;
  std::string TextOf(const ArchiveOf& archive, int depth) const override;
};

}  // namespace kingpost::codegen
