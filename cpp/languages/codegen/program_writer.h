// SPDX-License-Identifier: Apache-2.0
// The common form of programs in Python and TypeScript: settings, then resources and variables in their order, then
// exports. The imports come before all of these, once they are known. Functions have to be applied to what is known
// later. Any thread.
//
// The functions of programs in YAML have a table in each language. What no library there does exactly so (JSON with its
// keys in order, numbers in texts) is done by a helper that goes into the program.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "languages/codegen/deferred_values.h"
#include "languages/codegen/expression_printer.h"
#include "languages/codegen/names.h"

namespace kingpost::codegen {

inline constexpr char kSplitByNothing[] = "split by nothing";  // a `split` whose separator is "", in the tables

struct FunctionForm {
  const char* name;
  const char* call;             // "$1.join($0)": of arguments that are there, nothing that comes later
  const char* modules[3] = {};  // to be imported
  const char* applied = "";     // what the call applies to its only argument, if it is no more than that: "to_json"
  const char* helper = "";      // the definition that it needs
};

struct Functions {
  std::span<const FunctionForm> forms;
  std::span<const char* const> names;  // that these and their helpers use: no variable may have one
};
Functions PythonFunctions();
Functions NodeFunctions();

// How a language says it.
struct Language {
  Notation notation;
  Functions functions;
  Identifiers::Style names;
  bool (*is_keyword)(const std::string& name);
  SdkName (*sdk)(const std::string& token, const Packages& packages);
  std::string (*alias)(const std::string& package);            // of an SDK's package
  std::string (*provider_function)(const std::string& token);  // its name in the SDK
  const char *declares, *ends;                                 // "const", ";" of a line
  const char* constructs;                                      // "new"
  const char* comment;                                         // what begins one
  const char* getters[6];                                      // of settings, by their kind: "_bool"
  const char* secret_getter;
  const char* with_default;                  // what follows a getter: of the variable, and its value otherwise
  int default_depth;                         // of that value
  const char* wrap;                          // "pulumi.output($0)": makes an output of a value
  const char* all;                           // waits for several together
  const char *of_parameter, *of_parameters;  // what begins a function of `value`, of `values`
  bool exports_are_names = false;  // what is exported has its name; a variable that wants it, too, takes another one
};

class ProgramWriter : public ExpressionPrinter {
 public:
  ProgramWriter(const Program& program, const Language& language);
  std::string Write() const;

 protected:
  virtual std::string Head() const = 0;  // imports and helpers
  // A resource's arguments, and the end of the call that `opening` begins.
  virtual std::string Arguments(const Resource& resource, const std::string& opening) const = 0;
  virtual std::string Export(const NamedExpression& output) const = 0;
  // The arguments of a provider's function likewise.
  virtual std::string Arguments(const Invocation& invocation, const std::string& opening, int depth) const = 0;
  // For a path that does not lead to an output of a stack.
  virtual std::string PathText(const PathStep& step, int depth) const { return ExpressionPrinter::TextOf(step, depth); }

  using ExpressionPrinter::TextOf;
  std::string TextOf(const Call& call, int depth) const override;
  std::string TextOf(const PathStep& step, int depth) const override;

  const Language language_;
  const std::map<std::string, std::string> imports_;  // package -> its SDK, for resources and functions of providers
  const std::set<std::string> taken_;                 // the module's own names, beside those of variables
  const DeferredValues deferred_;
  mutable std::set<std::string> modules_;  // of the language's own library
  mutable std::set<std::string> helpers_;  // definitions

 private:
  std::string Settings() const;
  std::string Declaration(const Resource& resource) const;
  // "aws.s3.Bucket", and of a function what `last` says.
  std::string InSdk(const std::string& token, const std::string& last) const;
  // The whole that functions are applied to.
  std::string Wrapped(const Expression& expression, int depth) const;
  // Remembers what it needs of the module around it.
  const FunctionForm& FormOf(const std::string& function) const;
};

}  // namespace kingpost::codegen
