// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/program_writer.h"
#include "languages/codegen/writers.h"
#include "model/stack_reference.h"

namespace kingpost::codegen {

namespace {

constexpr ProgramStyle kPython = {
    Identifiers::Style::kSnake,
    IsPythonKeyword,
    PythonSdk,
    PythonAlias,
    PythonFunctionNames,
    PythonExpressions,
    /*declares=*/"",
    /*ends=*/"\n",
    /*constructs=*/"",
    /*comment_prefix=*/"# ",
    {"", "_bool", "_int", "_float", "_object", "_object"},
    "_secret",
};

// The constructor's name of an input.
std::string Parameter(const Resource& resource, const std::string& property) {
  if (resource.token == kStackReferenceType && property == "name") return "stack_name";
  const std::string name = PythonName(property);
  return name == "resource_name" || name == "opts" ? name + "_" : name;
}

class PythonWriter final : public ProgramWriter {
 public:
  explicit PythonWriter(const Program& program) : ProgramWriter(program, kPython) {}

 private:
  std::string Head() const override {
    const std::set<std::string>& modules = expressions().modules();
    std::string text;
    for (const std::string& module : modules) {
      if (module != "regex") text += "import " + module + "\n";
    }
    if (!text.empty()) text += '\n';
    text += "import pulumi\n";
    std::set<std::string> lines;
    for (const auto& [package, import] : imports_) {
      const std::string alias = PythonAlias(package);
      lines.insert("import " + import + (import == alias ? "" : " as " + alias) + "\n");
    }
    for (const std::string& line : lines) text += line;
    if (modules.count("regex") > 0) text += "import regex\n";
    for (const std::string& helper : expressions().helpers()) text += "\n\n" + helper;
    return text + (expressions().helpers().empty() ? "" : "\n");
  }

  std::string SettingText(const Setting& setting, const std::string& variable,
                          const std::string& getter) const override {
    const std::string text = getter + "(" + Quoted(SplitSetting(setting.name).name) + ")\n";
    if (!setting.default_value) return text;
    const std::string value = expressions().Text(*setting.default_value, 1);
    return text + "if " + variable + " is None:\n    " + variable + " = " +
           (setting.secret ? "pulumi.Output.secret(" + value + ")" : value) + "\n";
  }

  std::string Export(const NamedExpression& output) const override {
    return "pulumi.export(" + Quoted(output.name) + ", " + expressions().Text(*output.value, 0) + ")";
  }

  std::string Arguments(const Resource& resource, const std::string& opening) const override {
    std::vector<std::string> arguments;
    if (resource.kind == Resource::Kind::kComponent) arguments.push_back(Quoted(resource.token));
    arguments.push_back(Quoted(resource.name));
    if (resource.kind == Resource::Kind::kRead) {
      arguments.push_back(resource.id_value ? expressions().Text(*resource.id_value, 1) : Quoted(resource.id));
    }
    for (const NamedExpression& input : resource.inputs) {
      arguments.push_back(Parameter(resource, input.name) + "=" + expressions().Text(*input.value, 1));
    }
    std::vector<std::string> options;
    for (const NamedExpression& option : resource.options) {
      options.push_back(PythonName(option.name) + "=" + expressions().OptionText(option, 2));
    }
    if (!options.empty()) {
      arguments.push_back("opts=" + Bracketed({"pulumi.ResourceOptions(", ")"}, options, 1, false));
    }
    return Bracketed({opening.c_str(), ")"}, arguments, 0, false, opening.size());
  }
};

}  // namespace

std::string WritePython(const Program& program) { return PythonWriter(program).Write(); }

}  // namespace kingpost::codegen
