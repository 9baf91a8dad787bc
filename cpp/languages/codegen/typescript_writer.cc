// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/program_writer.h"
#include "languages/codegen/writers.h"

namespace kingpost::codegen {

namespace {

constexpr ProgramStyle kNode = {
    Identifiers::Style::kAsIs,
    IsTypeScriptKeyword,
    NodeSdk,
    NodeAlias,
    NodeFunctionNames,
    NodeExpressions,
    /*declares=*/"const ",
    /*ends=*/";\n",
    /*constructs=*/"new ",
    /*comment_prefix=*/"// ",
    {"", "Boolean", "Number", "Number", "Object", "Object"},
    "Secret",
    /*exports_are_names=*/true,
};

class NodeWriter final : public ProgramWriter {
 public:
  NodeWriter(const Program& program, ModuleKind modules)
      : ProgramWriter(program, kNode), modules_(modules), taken_(NamesTaken(program, kNode)) {}

 private:
  std::string Import(const std::string& alias, const std::string& package) const {
    if (modules_ == ModuleKind::kRequire) return "const " + alias + " = require(" + Quoted(package) + ");\n";
    return "import * as " + alias + " from " + Quoted(package) + ";\n";
  }

  std::string Head() const override {
    std::string text;
    for (const std::string& module : expressions().modules()) text += Import(module, module);
    text += Import("pulumi", "@pulumi/pulumi");
    for (const auto& [package, import] : imports_) text += Import(NodeAlias(package), import);
    for (const std::string& helper : expressions().helpers()) text += "\n" + helper;
    return text;
  }

  std::string Export(const NamedExpression& output) const override {
    const std::string value = expressions().Text(*output.value, 0);
    const bool identifier = IsIdentifier(output.name) && !IsTypeScriptKeyword(output.name);
    if (modules_ == ModuleKind::kImport && identifier && taken_.count(output.name) == 0) {
      return "export const " + output.name + " = " + value;
    }
    return "exports" + (identifier ? "." + output.name : "[" + Quoted(output.name) + "]") + " = " + value;
  }

  // An object's type is written out only where it is of use: the values are checked by who takes them.
  std::string SettingText(const Setting& setting, const std::string&, const std::string& getter) const override {
    const bool object = setting.kind == Setting::Kind::kObject || setting.kind == Setting::Kind::kList;
    const std::string text = getter + (object && modules_ == ModuleKind::kImport ? "<any>" : "") + "(" +
                             Quoted(SplitSetting(setting.name).name) + ")";
    if (!setting.default_value) return text + ";\n";
    const std::string value = expressions().Text(*setting.default_value, 0);
    return text + " ?? " + (setting.secret ? "pulumi.secret(" + value + ")" : value) + ";\n";
  }

  // Inputs and options have a line each, as the reference writes them: programs compare the text with what they expect.
  std::string Arguments(const Resource& resource, const std::string& opening) const override {
    const bool has_inputs = !resource.inputs.empty(), has_options = !resource.options.empty();
    const std::string options = has_options ? ", " + expressions().Fields(resource.options, true, 0, kLineMax) : "";
    std::string text = opening;
    if (resource.kind == Resource::Kind::kComponent) text += Quoted(resource.token) + ", ";
    text += Quoted(resource.name);
    if (resource.kind == Resource::Kind::kRead) {
      text += ", " + (resource.id_value ? expressions().Text(*resource.id_value, 0) : Quoted(resource.id));
      if (has_inputs) text += ", " + expressions().Fields(resource.inputs, true, 0);
      if (!has_inputs && has_options) text += ", undefined";
    } else if (has_inputs || has_options) {
      text += ", " + expressions().Fields(resource.inputs, true, 0, kLineMax);
    }
    return text + options + ")";
  }

  const ModuleKind modules_;
  const std::set<std::string> taken_;
};

}  // namespace

std::string WriteTypeScript(const Program& program, ModuleKind modules) { return NodeWriter(program, modules).Write(); }

}  // namespace kingpost::codegen
