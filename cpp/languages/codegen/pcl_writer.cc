// SPDX-License-Identifier: Apache-2.0
// The language that plugins of other languages write programs from.
#include <set>

#include "languages/codegen/expression_printer.h"
#include "languages/codegen/functions.h"
#include "languages/codegen/writers.h"
#include "languages/pcl/datum.h"

namespace kingpost::codegen {

namespace {

// Both sequences that stand for something else in a text there.
std::string PclText(const std::string& text) {
  std::string quoted;
  const std::string plain = Quoted(text);
  for (size_t i = 0; i < plain.size(); ++i) {
    const bool begins = (plain[i] == '$' || plain[i] == '%') && i + 1 < plain.size() && plain[i + 1] == '{';
    quoted += begins ? std::string(2, plain[i]) : std::string(1, plain[i]);
  }
  return quoted;
}

std::string PclLiteral(const Value& value) {
  if (value.is_string()) return PclText(value.as_string());
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  return value.is_number() ? pcl::NumberText(value.as_number()) : "null";
}

std::string PclKey(const std::string& name, bool typed) {
  return (typed && IsIdentifier(name) ? name : PclText(name)) + " = ";
}

std::string PclStep(const Value& key, bool) {
  const bool plain = key.is_string() && IsIdentifier(key.as_string());
  return plain ? "." + key.as_string() : "[" + PclLiteral(key) + "]";
}

bool IsPclWord(const std::string& name) {
  static const std::set<std::string> kWords = {"null", "true",  "false",   "for",   "in",
                                               "if",   "range", "options", "config"};
  return kWords.count(name) > 0;
}

// Options whose texts are paths into the resource, which stand there without quotes.
bool HoldsPaths(const std::string& option) {
  return option == "ignoreChanges" || option == "replaceOnChanges" || option == "additionalSecretOutputs" ||
         option == "hideDiffs";
}

class PclExpressions final : public ExpressionPrinter {
 public:
  explicit PclExpressions(const Program& program)
      : ExpressionPrinter(program, NameAll(program, Identifiers(Identifiers::Style::kAsIs, IsPclWord, {})),
                          {PclLiteral, PclKey, PclStep, /*spaced=*/true}) {}

  std::string OptionText(const NamedExpression& option, int depth) const override {
    const auto* list = option.value->as<TupleLiteral>();
    if (!list || !HoldsPaths(option.name)) return Text(*option.value, depth);
    std::vector<std::string> paths;
    for (const ExpressionPtr& path : list->elements) {
      const std::string* text = LiteralText(path);
      paths.push_back(text ? *text : Text(*path, depth + 1));
    }
    return Bracketed({"[", "]"}, paths, depth, false);
  }

 private:
  using ExpressionPrinter::TextOf;
  // A setting is no secret there by itself.
  std::string TextOf(const SettingRef& reference) const override {
    const std::string& name = variables_.settings.at(reference.name);
    for (const Setting& setting : program_.settings) {
      if (setting.name == reference.name && setting.secret) return "secret(" + name + ")";
    }
    return name;
  }
  std::string TextOf(const Template& joined, int depth) const override {
    std::string text;
    for (const ExpressionPtr& part : joined.parts) {
      const std::string quoted = LiteralText(part) ? PclText(*LiteralText(part)) : "";
      text += quoted.empty() ? "${" + Text(*part, depth) + "}" : quoted.substr(1, quoted.size() - 2);
    }
    return "\"" + text + "\"";
  }
  std::string TextOf(const Call& call, int depth) const override {
    if (call.function == kAsText) return Text(*call.arguments[0], depth);
    if (call.function == kNoParent) return "null";
    const bool select = call.function == "select";
    std::vector<ExpressionPtr> arguments = call.arguments;
    if (select) std::swap(arguments[0], arguments[1]);
    std::string text;
    for (const ExpressionPtr& argument : arguments) text += (text.empty() ? "" : ", ") + Text(*argument, depth);
    return (select ? "element" : NameInYaml(call.function)) + "(" + text + ")";
  }
};

class PclWriter {
 public:
  explicit PclWriter(const Program& program) : program_(program), expressions_(program) {}

  std::string Write() const {
    std::string text;
    for (const Setting& setting : program_.settings) text += Config(setting);
    for (const Statement& statement : StatementsOf(program_)) {
      text += text.empty() ? "" : "\n";
      if (statement.resource) {
        text += Declaration(*statement.resource);
      } else {
        text += names().variables.at(statement.variable->name) + " = " +
                expressions_.Text(*statement.variable->value, 0) + "\n";
      }
    }
    for (const NamedExpression& output : program_.outputs) {
      text += "\noutput " + Quoted(output.name) + " {\n    value = " + expressions_.Text(*output.value, 1) + "\n}\n";
    }
    return text;
  }

 private:
  const Variables& names() const { return expressions_.variables(); }

  std::string Config(const Setting& setting) const {
    static constexpr const char* kTypes[] = {"string", "bool", "int", "number", "map(any)", "list(any)"};
    const std::string& name = names().settings.at(setting.name);
    std::string text = "config " + name + " \"" + kTypes[static_cast<int>(setting.kind)] + "\" {\n";
    if (name != setting.name) text += "    __logicalName = " + PclText(setting.name) + "\n";
    if (setting.default_value) text += "    default = " + expressions_.Text(*setting.default_value, 1) + "\n";
    return text + "}\n";
  }

  std::string Declaration(const Resource& resource) const {
    const std::string& variable = names().resources.at(resource.key);
    std::string text = "resource " + variable + " " + PclText(resource.token) + " {\n";
    if (variable != resource.name) text += "    __logicalName = " + PclText(resource.name) + "\n";
    for (const NamedExpression& input : resource.inputs) {
      text += "    " + input.name + " = " + expressions_.Text(*input.value, 1) + "\n";
    }
    if (!resource.options.empty()) {
      text += "    options {\n";
      for (const NamedExpression& option : resource.options) {
        text += "        " + option.name + " = " + expressions_.OptionText(option, 2) + "\n";
      }
      text += "    }\n";
    }
    return text + "}\n";
  }

  const Program& program_;
  const PclExpressions expressions_;
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
