// SPDX-License-Identifier: Apache-2.0
// The language that plugins of other languages write programs from.
#include <set>

#include "base/text.h"
#include "languages/codegen/expression_printer.h"
#include "languages/codegen/writers.h"
#include "languages/pcl/request_parts.h"

namespace kingpost::codegen {

namespace {

// Both sequences that stand for something else in a text there.
std::string PclText(const std::string& text) { return Doubled(Quoted(text), "$%", "{"); }

std::string PclKey(const std::string& name, bool typed) {
  return (typed && IsIdentifier(name) ? name : PclText(name)) + " = ";
}

bool IsPclWord(const std::string& name) {
  static const std::set<std::string> kWords = {"null", "true",  "false",   "for",   "in",
                                               "if",   "range", "options", "config"};
  return kWords.count(name) > 0;
}

class PclWriter final : public ExpressionPrinter {
 public:
  explicit PclWriter(const Program& program)
      : ExpressionPrinter(program, NameAll(program, Identifiers(Identifiers::Style::kAsIs, IsPclWord, {})),
                          {PclText, "true", "false", "null", PclKey, PlainAttribute, /*spaced=*/true}) {}

  std::string Write() const {
    std::string text;
    for (const Setting& setting : program_.settings) text += Config(setting);
    for (const Statement& statement : StatementsOf(program_)) {
      text += text.empty() ? "" : "\n";
      text += statement.resource ? Declaration(*statement.resource)
                                 : Attribute(variables_.variables.at(statement.variable->name),
                                             Text(*statement.variable->value, 0), 0);
    }
    for (const NamedExpression& output : program_.outputs) {
      text += "\noutput " + Quoted(output.name) + " {\n" + Attribute("value", Text(*output.value, 1), 1) + "}\n";
    }
    return text;
  }

 private:
  static std::string Attribute(const std::string& name, const std::string& value, size_t depth) {
    return std::string(4 * depth, ' ') + name + " = " + value + "\n";
  }

  // Where the variable has another name.
  static std::string LogicalName(const std::string& variable, const std::string& name) {
    return variable == name ? "" : Attribute("__logicalName", PclText(name), 1);
  }

  std::string Config(const Setting& setting) const {
    static constexpr const char* kTypes[] = {"string", "bool", "int", "number", "map(any)", "list(any)"};
    const std::string& variable = variables_.settings.at(setting.name);
    return "config " + variable + " \"" + kTypes[static_cast<int>(setting.kind)] + "\" {\n" +
           LogicalName(variable, setting.name) +
           (setting.default_value ? Attribute("default", Text(*setting.default_value, 1), 1) : "") + "}\n";
  }

  std::string Declaration(const Resource& resource) const {
    const std::string& variable = variables_.resources.at(resource.key);
    std::string text = "resource " + variable + " " + PclText(resource.token) + " {\n";
    text += LogicalName(variable, resource.name);
    for (const NamedExpression& input : resource.inputs) text += Attribute(input.name, Text(*input.value, 1), 1);
    if (!resource.options.empty()) text += "    options {\n";
    for (const NamedExpression& option : resource.options) text += Attribute(option.name, OptionText(option), 2);
    if (!resource.options.empty()) text += "    }\n";
    return text + "}\n";
  }

  // Paths into the resource stand there without quotes.
  std::string OptionText(const NamedExpression& option) const {
    const auto* list = option.value->as<TupleLiteral>();
    if (!list || !pcl::TakesPaths(option.name)) return Text(*option.value, 2);
    std::vector<std::string> paths;
    for (const ExpressionPtr& path : list->elements) {
      const std::string* text = LiteralText(path);
      paths.push_back(text ? *text : Text(*path, 3));
    }
    return Bracketed("[", paths, "]", 2);
  }

  using ExpressionPrinter::TextOf;
  // A setting is no secret there by itself.
  std::string TextOf(const SettingRef& reference) const override {
    const std::string name = ExpressionPrinter::TextOf(reference);
    return IsSecret(program_, reference) ? "secret(" + name + ")" : name;
  }
  std::string TextOf(const Template& joined, int depth) const override {
    const auto inside = [](const std::string& text) {
      const std::string quoted = PclText(text);
      return quoted.substr(1, quoted.size() - 2);
    };
    return "\"" + Interpolated(joined, inside, depth) + "\"";
  }
  std::string TextOf(const Call& call, int depth) const override {
    if (call.function == kAsText) return Text(*call.arguments[0], depth);
    if (call.function == kNoParent) return "null";
    std::vector<std::string> arguments;
    for (const ExpressionPtr& argument : call.arguments) arguments.push_back(Text(*argument, depth));
    const bool select = call.function == "select";
    if (select) std::swap(arguments[0], arguments[1]);
    return (select ? "element" : NameInYaml(call.function)) + "(" + Joined(arguments, ", ") + ")";
  }
};

}  // namespace

Result<std::string> WritePcl(const Program& program) {
  for (const Resource& resource : program.resources) {
    if (resource.kind == Resource::Kind::kManaged) continue;
    const bool read = resource.kind == Resource::Kind::kRead;
    return Status(Code::kUnimplemented,
                  "the resource '" + resource.name + "' of the type " + resource.token +
                      (read ? " is looked up by its ID" : " is a component of the program itself") +
                      ", which has no form that plugins of languages understand");
  }
  return PclWriter(program).Write();
}

}  // namespace kingpost::codegen
