// SPDX-License-Identifier: Apache-2.0
// What expressions in Python and TypeScript have in common: names, lists, and functions that are applied to what is
// known later. Remembers what they need of the module around them. Any thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "languages/codegen/deferred_values.h"
#include "languages/codegen/language_functions.h"
#include "languages/codegen/names.h"

namespace kingpost::codegen {

// How a language says it.
struct Idioms {
  FunctionCode (*call)(CallOf::Function function, const std::vector<std::string>& arguments);
  const char* wrap;                          // opens the call that makes an output of a value
  const char *all, *all_end;                 // around several that are waited for together
  const char *of_parameter, *of_parameters;  // what begins a function of `value`, of `values`
};

class LanguageExpressions {
 public:
  LanguageExpressions(const Program& program, Variables variables, const Idioms& idioms);
  virtual ~LanguageExpressions() = default;

  virtual std::string Text(const Expression& expression, int depth) const { return Raw(expression, depth); }
  // As the value of a variable, whose parts may be asked for later.
  std::string Raw(const Expression& expression, int depth) const;

  const Variables& variables() const { return variables_; }
  const std::set<std::string>& modules() const { return modules_; }  // of the language's own library
  const std::set<std::string>& helpers() const { return helpers_; }  // definitions

 protected:
  virtual std::string TextOf(const Literal& literal, int depth) const = 0;
  virtual std::string TextOf(const ObjectOf& object, int depth) const = 0;
  virtual std::string TextOf(const PropertyRef& reference, int depth) const = 0;
  virtual std::string TextOf(const PartOf& part, int depth) const = 0;
  virtual std::string TextOf(const JoinedText& joined, int depth) const = 0;
  virtual std::string TextOf(const InvokeOf& invoke, int depth) const = 0;
  virtual std::string TextOf(const PlaceOf& place, int depth) const = 0;
  virtual std::string TextOf(const AssetOf& asset, int depth) const = 0;
  virtual std::string TextOf(const ArchiveOf& archive, int depth) const = 0;
  std::string TextOf(const ListOf& list, int depth) const;
  std::string TextOf(const ResourceRef& reference, int) const { return variables_.resources.at(reference.key); }
  std::string TextOf(const SettingRef& reference, int) const { return variables_.settings.at(reference.name); }
  std::string TextOf(const VariableRef& reference, int) const { return variables_.variables.at(reference.name); }
  std::string TextOf(const CallOf& call, int depth) const;

  // The whole that functions are applied to.
  std::string Wrapped(const Expression& expression, int depth) const;
  // The variable of the stack reference whose output the part is; "" if it is none.
  std::string StackOfOutput(const PartOf& part) const;

  const Program& program_;
  const DeferredValues deferred_;
  const Variables variables_;
  mutable std::set<std::string> modules_, helpers_;

 private:
  std::string Call(const CallOf& call, const std::vector<std::string>& arguments) const;

  const Idioms idioms_;
  const std::set<std::string> stack_references_;
};

}  // namespace kingpost::codegen
