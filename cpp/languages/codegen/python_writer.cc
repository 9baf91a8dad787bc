// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "languages/codegen/functions.h"
#include "languages/codegen/language_functions.h"
#include "languages/codegen/layout.h"
#include "languages/codegen/packages.h"
#include "languages/codegen/python_expressions.h"
#include "languages/codegen/writers.h"

namespace kingpost::codegen {

namespace {

// What the constructor calls an input.
std::string Parameter(const Resource& resource, const std::string& property) {
  if (resource.token == kStackReferenceToken && property == "name") return "stack_name";
  const std::string name = PythonName(property);
  return name == "resource_name" || name == "opts" ? name + "_" : name;
}

const char* KindSuffix(Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::kText:
      return "";
    case Setting::Kind::kBool:
      return "_bool";
    case Setting::Kind::kInteger:
      return "_int";
    case Setting::Kind::kNumber:
      return "_float";
    case Setting::Kind::kObject:
    case Setting::Kind::kList:
      break;
  }
  return "_object";
}

std::string PythonGetter(const Setting& setting) {
  return std::string(setting.default_value ? "get" : "require") + (setting.secret ? "_secret" : "") +
         KindSuffix(setting.kind);
}

Variables NamesIn(const Program& program, const std::set<std::string>& packages) {
  std::set<std::string> taken = {"pulumi", "config"};
  if (CallsFunctions(program)) taken.merge(PythonFunctionNames());
  for (const std::string& package : packages) taken.insert(PythonAlias(package));
  return NameAll(program, Identifiers(Identifiers::Style::kSnake, IsPythonKeyword, std::move(taken)));
}

std::set<std::string> SdksOf(const Program& program) {
  std::set<std::string> packages;
  for (const Resource& resource : program.resources) {
    if (resource.kind == Resource::Kind::kComponent) continue;
    if (!PythonSdk(resource.token, program.packages).import.empty()) packages.insert(PackageOf(resource.token));
  }
  for (const std::string& token : InvokedTokens(program)) packages.insert(PackageOf(token));
  return packages;
}

class PythonWriter {
 public:
  explicit PythonWriter(const Program& program)
      : program_(program), expressions_(program, NamesIn(program, SdksOf(program))) {}

  std::string Write() {
    std::string text = Settings();
    bool in_variables = false;
    for (const Statement& statement : StatementsOf(program_)) {
      if (statement.resource) {
        text += "\n" + Declaration(*statement.resource) + "\n";
      } else {
        text += (in_variables ? "" : "\n") + names().variables.at(statement.variable->name) + " = " +
                expressions_.Raw(*statement.variable->value, 0) + "\n";
      }
      in_variables = statement.variable != nullptr;
    }
    if (!program_.outputs.empty()) text += "\n";
    for (const Field& output : program_.outputs) {
      text += "pulumi.export(" + Quoted(output.name) + ", " + expressions_.Text(*output.value, 0) + ")\n";
    }
    std::string before = Imports();
    for (const std::string& helper : expressions_.helpers()) before += "\n\n" + helper;
    return before + (expressions_.helpers().empty() ? "" : "\n") + text;
  }

 private:
  const Variables& names() const { return expressions_.variables(); }

  std::string Imports() const {
    std::string text;
    for (const std::string& module : expressions_.modules()) {
      if (module != "regex") text += "import " + module + "\n";
    }
    if (!text.empty()) text += "\n";
    std::set<std::string> lines;
    for (const std::string& token : InvokedTokens(program_)) lines.insert(ImportLine(token));
    for (const Resource& resource : program_.resources) {
      const bool imported =
          resource.kind != Resource::Kind::kComponent && !PythonSdk(resource.token, program_.packages).import.empty();
      if (imported) lines.insert(ImportLine(resource.token));
    }
    text += "import pulumi\n";
    for (const std::string& line : lines) text += line;
    if (expressions_.modules().count("regex") > 0) text += "import regex\n";
    return text;
  }

  std::string ImportLine(const std::string& token) const {
    const std::string module = PythonSdk(token, program_.packages).import;
    const std::string alias = PythonAlias(PackageOf(token));
    return "import " + module + (module == alias ? "" : " as " + alias) + "\n";
  }

  std::string Settings() const {
    std::string text;
    bool own = false;
    for (const Setting& setting : program_.settings) {
      const SettingName name = SplitSetting(setting.name);
      own = own || name.space.empty();
      const std::string& variable = names().settings.at(setting.name);
      text += variable + " = " + (name.space.empty() ? "config" : "pulumi.Config(" + Quoted(name.space) + ")") + "." +
              PythonGetter(setting) + "(" + Quoted(name.name) + ")\n";
      if (!setting.default_value) continue;
      const std::string value = expressions_.Text(*setting.default_value, 1);
      text += "if " + variable + " is None:\n    " + variable + " = " +
              (setting.secret ? "pulumi.Output.secret(" + value + ")" : value) + "\n";
    }
    if (text.empty()) return "";
    return (own ? "\nconfig = pulumi.Config()\n" : "\n") + text;
  }

  std::string ClassOf(const Resource& resource) const {
    if (resource.kind == Resource::Kind::kComponent) return "pulumi.ComponentResource";
    const SdkName sdk = PythonSdk(resource.token, program_.packages);
    std::string name = sdk.import.empty() ? "pulumi" : PythonAlias(PackageOf(resource.token));
    for (const std::string& module : sdk.modules) name += "." + module;
    return name + "." + sdk.type;
  }

  std::string Declaration(const Resource& resource) const {
    std::vector<std::string> arguments;
    if (resource.kind == Resource::Kind::kComponent) arguments.push_back(Quoted(resource.token));
    arguments.push_back(Quoted(resource.name));
    const bool read = resource.kind == Resource::Kind::kRead;
    if (read) arguments.push_back(resource.id_value ? expressions_.Text(*resource.id_value, 1) : Quoted(resource.id));
    for (const Field& input : resource.inputs) {
      arguments.push_back(Parameter(resource, input.name) + "=" + expressions_.Text(*input.value, 1));
    }
    if (!resource.options.empty()) arguments.push_back("opts=" + Options(resource.options));
    const std::string opening = names().resources.at(resource.key) + " = " + ClassOf(resource) + (read ? ".get(" : "(");
    return Bracketed({opening.c_str(), ")"}, arguments, 0, false, opening.size());
  }

  std::string Options(const std::vector<Field>& options) const {
    std::vector<std::string> arguments;
    for (const Field& option : options) arguments.push_back(PythonName(option.name) + "=" + OptionText(option));
    return Bracketed({"pulumi.ResourceOptions(", ")"}, arguments, 1, false);
  }

  std::string OptionText(const Field& option) const {
    if (option.name == "customTimeouts") return expressions_.Timeouts(*option.value);
    if (option.name == "aliases") return expressions_.Aliases(*option.value);
    return expressions_.Text(*option.value, 2);
  }

  const Program& program_;
  const PythonExpressions expressions_;
};

}  // namespace

std::string WritePython(const Program& program) { return PythonWriter(program).Write(); }

}  // namespace kingpost::codegen
