// SPDX-License-Identifier: Apache-2.0
// Expressions in TypeScript, and in JavaScript where no type has to be said. Remembers what they need of the module
// around them. Any thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "codegen/later.h"
#include "codegen/names.h"

namespace kingpost::codegen {

// What a program calls the package of an SDK.
std::string NodeAlias(std::string package);

class NodeExpressions {
 public:
  NodeExpressions(const Program& program, Variables variables);

  std::string Text(const Expression& expression, int depth) const;
  std::string Fields(const std::vector<Field>& fields, int depth, size_t columns_before = 0) const;

  const Variables& variables() const { return variables_; }
  const std::set<std::string>& modules() const { return modules_; }  // of Node.js
  const std::set<std::string>& helpers() const { return helpers_; }  // definitions

 private:
  std::string Wrapped(const Expression& expression, int depth) const;
  std::string Call(CallOf::Function function, const std::vector<std::string>& arguments) const;

  std::string TextOf(const Literal& literal, int depth) const;
  std::string TextOf(const ListOf& list, int depth) const;
  std::string TextOf(const ObjectOf& object, int depth) const;
  std::string TextOf(const ResourceRef& reference, int depth) const;
  std::string TextOf(const PropertyRef& reference, int depth) const;
  std::string TextOf(const SettingRef& reference, int depth) const;
  std::string TextOf(const VariableRef& reference, int depth) const;
  std::string TextOf(const PartOf& part, int depth) const;
  std::string TextOf(const JoinedText& joined, int depth) const;
  std::string TextOf(const CallOf& call, int depth) const;
  std::string TextOf(const InvokeOf& invoke, int depth) const;
  std::string TextOf(const PlaceOf& place, int depth) const;
  std::string TextOf(const AssetOf& asset, int depth) const;
  std::string TextOf(const ArchiveOf& archive, int depth) const;

  const Program& program_;
  const Later later_;
  const Variables variables_;
  std::set<std::string> stack_references_;
  mutable std::set<std::string> modules_, helpers_;
};

}  // namespace kingpost::codegen
