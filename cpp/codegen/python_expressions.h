// SPDX-License-Identifier: Apache-2.0
// Expressions in Python. Remembers what they need of the module around them. Any thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "codegen/later.h"
#include "codegen/names.h"

namespace kingpost::codegen {

// A text between quotes: of several lines, if it reads well as such.
std::string PythonText(const std::string& text);
// What a program calls the package of an SDK.
std::string PythonAlias(const std::string& package);

class PythonExpressions {
 public:
  PythonExpressions(const Program& program, Variables variables);

  std::string Text(const Expression& expression, int depth) const;
  // As the value of a variable, whose parts may be asked for later.
  std::string Raw(const Expression& expression, int depth) const;
  std::string Timeouts(const Expression& expression) const;
  std::string Aliases(const Expression& expression) const;

  const Variables& variables() const { return variables_; }
  const std::set<std::string>& modules() const { return modules_; }  // of the standard library
  const std::set<std::string>& helpers() const { return helpers_; }  // definitions

 private:
  std::string Fields(const std::vector<Field>& fields, bool typed, int depth) const;
  std::string Wrapped(const Expression& expression, int depth) const;
  std::string Named(const Expression& answer, const std::string& text) const;
  std::string Call(CallOf::Function function, const std::vector<std::string>& arguments) const;
  std::string StepOf(const PartOf& part) const;
  bool IsStackReference(const std::string& key) const { return stack_references_.count(key) > 0; }

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
