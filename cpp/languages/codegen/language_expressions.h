// SPDX-License-Identifier: Apache-2.0
// Expressions in Python and TypeScript, where functions have to be applied to what is known later. Remembers what they
// need of the module around them. Any thread.
//
// The functions of programs in YAML have a table in each language. What no library there does exactly so (JSON with its
// keys in order, numbers in texts) is done by a helper that goes into the program.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "languages/codegen/deferred_values.h"
#include "languages/codegen/expression_printer.h"
#include "languages/codegen/functions.h"

namespace kingpost::codegen {

inline constexpr char kSplitByNothing[] = "split by nothing";  // a `split` whose separator is "", in the tables

struct FunctionForm {
  const char* name;
  const char* call;             // "$1.join($0)": of arguments that are there, nothing that comes later
  const char* applied = "";     // what the call applies to its only argument, if it is no more than that: "to_json"
  const char* helper = "";      // the definition that it needs
  const char* modules[3] = {};  // to be imported
};

// How a language says it.
struct Idioms {
  Notation notation;
  std::span<const FunctionForm> functions;
  const char* wrap;                          // opens the call that makes an output of a value
  const char *all, *all_end;                 // around several that are waited for together
  const char *of_parameter, *of_parameters;  // what begins a function of `value`, of `values`
};

class LanguageExpressions : public ExpressionPrinter {
 public:
  LanguageExpressions(const Program& program, Variables variables, const Idioms& idioms);

  const std::set<std::string>& modules() const { return modules_; }  // of the language's own library
  const std::set<std::string>& helpers() const { return helpers_; }  // definitions

 protected:
  using ExpressionPrinter::TextOf;
  virtual std::string TextOf(const Invocation& invocation, int depth) const = 0;
  std::string TextOf(const Call& call, int depth) const override;
  std::string TextOf(const PathStep& step, int depth) const override;
  // For a path that does not lead to an output of a stack.
  virtual std::string PathText(const PathStep& step, int depth) const { return ExpressionPrinter::TextOf(step, depth); }

  const DeferredValues deferred_;

 private:
  // The whole that functions are applied to.
  std::string Wrapped(const Expression& expression, int depth) const;
  std::string CallText(const FunctionForm& form, const std::vector<std::string>& arguments) const;

  const Idioms idioms_;
  const std::set<std::string> stack_references_;
  mutable std::set<std::string> modules_, helpers_;
};

std::unique_ptr<LanguageExpressions> PythonExpressions(const Program& program, Variables variables);
std::unique_ptr<LanguageExpressions> NodeExpressions(const Program& program, Variables variables);

std::span<const FunctionForm> PythonFunctions();
std::span<const FunctionForm> NodeFunctions();
// The names that these and their helpers use: no variable may have one.
std::set<std::string> PythonFunctionNames();
std::set<std::string> NodeFunctionNames();

// The name of an SDK's package in a program.
std::string PythonAlias(const std::string& package);
std::string NodeAlias(const std::string& package);

}  // namespace kingpost::codegen
