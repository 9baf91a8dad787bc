// SPDX-License-Identifier: Apache-2.0
// The common form of programs in Python and TypeScript: settings, then resources and variables in their order, then
// exports. The imports come before all of these, once they are known. Any thread.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "languages/codegen/language_expressions.h"

namespace kingpost::codegen {

struct ProgramStyle {
  Identifiers::Style names;
  bool (*is_keyword)(const std::string& name);
  SdkName (*sdk)(const std::string& token, const Packages& packages);
  std::string (*alias)(const std::string& package);
  std::set<std::string> (*function_names)();
  std::unique_ptr<LanguageExpressions> (*expressions)(const Program& program, Variables variables);
  const char *declares, *ends;  // "const", ";" of a line
  const char* constructs;       // "new"
  const char* comment_prefix;   // what begins a comment
  const char* getters[6];       // of settings, by their kind: "_bool"
  const char* secret_getter;
  bool exports_are_names = false;  // what is exported has its name; a variable that wants it, too, takes another one
};

class ProgramWriter {
 public:
  ProgramWriter(const Program& program, const ProgramStyle& style);
  virtual ~ProgramWriter() = default;
  std::string Write() const;

 protected:
  // The module's own names, beside those of variables.
  static std::set<std::string> NamesTaken(const Program& program, const ProgramStyle& style);

  // `getter`: "config.require(\"name\")" up to its parenthesis.
  virtual std::string SettingText(const Setting& setting, const std::string& variable,
                                  const std::string& getter) const = 0;
  virtual std::string Arguments(const Resource& resource, const std::string& opening) const = 0;
  virtual std::string Export(const NamedExpression& output) const = 0;
  virtual std::string Head() const = 0;  // imports and helpers

  std::string Settings() const;
  std::string Declaration(const Resource& resource) const;
  std::string ClassOf(const Resource& resource) const;
  const LanguageExpressions& expressions() const { return *expressions_; }

  const Program& program_;
  const ProgramStyle style_;
  const std::map<std::string, std::string> imports_;

 private:
  const std::unique_ptr<LanguageExpressions> expressions_;
};

}  // namespace kingpost::codegen
