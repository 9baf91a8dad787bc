// SPDX-License-Identifier: Apache-2.0
// Expressions in TypeScript, and in JavaScript where no type has to be said. Any thread.
#pragma once

#include <string>
#include <vector>

#include "languages/codegen/language_expressions.h"

namespace kingpost::codegen {

// What a program calls the package of an SDK.
std::string NodeAlias(std::string package);

class NodeExpressions final : public LanguageExpressions {
 public:
  NodeExpressions(const Program& program, Variables variables);

  std::string Fields(const std::vector<Field>& fields, int depth, size_t columns_before = 0) const;

 private:
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
