// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "languages/codegen/functions.h"
#include "languages/codegen/language_functions.h"
#include "languages/codegen/layout.h"
#include "languages/codegen/node_expressions.h"
#include "languages/codegen/packages.h"
#include "languages/codegen/writers.h"

namespace kingpost::codegen {

namespace {

const char* NodeKindSuffix(Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::kText:
      return "";
    case Setting::Kind::kBool:
      return "Boolean";
    case Setting::Kind::kInteger:
    case Setting::Kind::kNumber:
      return "Number";
    case Setting::Kind::kObject:
    case Setting::Kind::kList:
      break;
  }
  return "Object";
}

std::string NodeGetter(const Setting& setting) {
  return std::string(setting.default_value ? "get" : "require") + (setting.secret ? "Secret" : "") +
         NodeKindSuffix(setting.kind);
}

// package -> npm package
std::map<std::string, std::string> NodePackages(const Program& program) {
  std::map<std::string, std::string> packages;
  for (const std::string& token : InvokedTokens(program)) {
    packages[PackageOf(token)] = NodeSdk(token, program.packages).import;
  }
  for (const Resource& resource : program.resources) {
    const SdkName sdk = NodeSdk(resource.token, program.packages);
    if (sdk.import.empty() || resource.kind == Resource::Kind::kComponent) continue;
    packages[PackageOf(resource.token)] = sdk.import;
  }
  return packages;
}

// What stands in the module beside the variables.
std::set<std::string> NodeModuleNames(const Program& program) {
  std::set<std::string> taken = {"pulumi", "config"};
  if (CallsFunctions(program)) taken.merge(NodeFunctionNames());
  for (const auto& [package, import] : NodePackages(program)) taken.insert(NodeAlias(package));
  return taken;
}

// What is exported has its name; a variable that wants it, too, takes another one.
Variables NodeVariables(const Program& program) {
  std::set<std::string> taken = NodeModuleNames(program);
  for (const Field& output : program.outputs) taken.insert(output.name);
  return NameAll(program, Identifiers(Identifiers::Style::kAsIs, IsTypeScriptKeyword, std::move(taken)));
}

class NodeWriter {
 public:
  NodeWriter(const Program& program, Modules modules)
      : program_(program),
        modules_(modules),
        taken_(NodeModuleNames(program)),
        expressions_(program, NodeVariables(program)) {}

  std::string Write() {
    std::string body = Settings();
    bool in_variables = false;
    for (const Statement& statement : StatementsOf(program_)) {
      if (statement.resource) {
        body += "\n" + Declaration(*statement.resource) + ";\n";
      } else {
        body += std::string(in_variables ? "" : "\n") + "const " + names().variables.at(statement.variable->name) +
                " = " + expressions_.Text(*statement.variable->value, 0) + ";\n";
      }
      in_variables = statement.variable != nullptr;
    }
    if (!program_.outputs.empty()) body += "\n";
    for (const Field& output : program_.outputs) body += Export(output);
    std::string before;
    for (const std::string& module : expressions_.modules()) before += Import(module, module);
    before += Import("pulumi", "@pulumi/pulumi");
    for (const auto& [package, import] : NodePackages(program_)) before += Import(NodeAlias(package), import);
    for (const std::string& helper : expressions_.helpers()) before += "\n" + helper;
    return before + body;
  }

 private:
  const Variables& names() const { return expressions_.variables(); }

  std::string Import(const std::string& alias, const std::string& package) const {
    if (modules_ == Modules::kRequire) return "const " + alias + " = require(" + Quoted(package) + ");\n";
    return "import * as " + alias + " from " + Quoted(package) + ";\n";
  }

  std::string Export(const Field& output) const {
    const std::string value = expressions_.Text(*output.value, 0) + ";\n";
    const bool identifier = IsIdentifier(output.name) && !IsTypeScriptKeyword(output.name);
    if (modules_ == Modules::kImport && identifier && taken_.count(output.name) == 0) {
      return "export const " + output.name + " = " + value;
    }
    return "exports" + (identifier ? "." + output.name : "[" + Quoted(output.name) + "]") + " = " + value;
  }

  // An object's type is written out only where it is of use: the values are checked by who takes them.
  std::string Settings() const {
    std::string text;
    bool own = false;
    for (const Setting& setting : program_.settings) {
      const bool object = setting.kind == Setting::Kind::kObject || setting.kind == Setting::Kind::kList;
      const std::string type = object && modules_ == Modules::kImport ? "<any>" : "";
      const SettingName name = SplitSetting(setting.name);
      own = own || name.space.empty();
      const std::string config = name.space.empty() ? "config" : "new pulumi.Config(" + Quoted(name.space) + ")";
      text += "const " + names().settings.at(setting.name) + " = " + config + "." + NodeGetter(setting) + type + "(" +
              Quoted(name.name) + ")";
      if (setting.default_value) {
        const std::string value = expressions_.Text(*setting.default_value, 0);
        text += " ?? " + (setting.secret ? "pulumi.secret(" + value + ")" : value);
      }
      text += ";\n";
    }
    if (text.empty()) return "";
    return (own ? "\nconst config = new pulumi.Config();\n" : "\n") + text;
  }

  std::string ClassOf(const Resource& resource) const {
    if (resource.kind == Resource::Kind::kComponent) return "pulumi.ComponentResource";
    const SdkName sdk = NodeSdk(resource.token, program_.packages);
    std::string name = sdk.import.empty() ? "pulumi" : NodeAlias(PackageOf(resource.token));
    for (const std::string& module : sdk.modules) name += "." + module;
    return name + "." + sdk.type;
  }

  std::string Declaration(const Resource& resource) const {
    const std::string variable = "const " + names().resources.at(resource.key) + " = ";
    std::string tail;
    if (!resource.options.empty()) tail = ", " + expressions_.Fields(resource.options, 0);
    if (resource.kind == Resource::Kind::kRead) return variable + Read(resource, tail);
    std::string head = Quoted(resource.name);
    if (resource.kind == Resource::Kind::kComponent) head = Quoted(resource.token) + ", " + head;
    const std::string opening = variable + "new " + ClassOf(resource) + "(" + head;
    const bool has_inputs = !resource.inputs.empty() || !tail.empty();
    const std::string inputs =
        has_inputs ? ", " + expressions_.Fields(resource.inputs, 0, opening.size() + tail.size()) : "";
    return opening + inputs + tail + ")";
  }

  std::string Read(const Resource& resource, const std::string& tail) const {
    const std::string id = resource.id_value ? expressions_.Text(*resource.id_value, 0) : Quoted(resource.id);
    std::string state;
    if (!resource.inputs.empty()) {
      state = ", " + expressions_.Fields(resource.inputs, 0);
    } else if (!tail.empty()) {
      state = ", undefined";
    }
    return ClassOf(resource) + ".get(" + Quoted(resource.name) + ", " + id + state + tail + ")";
  }

  const Program& program_;
  const Modules modules_;
  const std::set<std::string> taken_;
  const NodeExpressions expressions_;
};

}  // namespace

std::string WriteTypeScript(const Program& program, Modules modules) { return NodeWriter(program, modules).Write(); }

}  // namespace kingpost::codegen
