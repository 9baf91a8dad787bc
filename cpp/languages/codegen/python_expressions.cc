// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/python_expressions.h"

#include "languages/codegen/functions.h"
#include "languages/codegen/layout.h"
#include "languages/codegen/packages.h"
#include "languages/pcl/datum.h"

namespace kingpost::codegen {

namespace {

std::string PythonLiteral(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? "True" : "False";
  if (value.is_number()) return pcl::NumberText(value.as_number());
  return value.is_string() ? PythonText(value.as_string()) : "None";
}

// For str.format.
std::string WithoutFields(const std::string& text) {
  std::string form;
  for (const char c : text) form += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
  return form;
}

}  // namespace

std::string PythonAlias(const std::string& package) { return PythonName(package); }

// Quotes stand bare in a text of many lines, unless they could end it.
std::string PythonText(const std::string& text) {
  if (!IsProse(text)) return Quoted(text);
  const bool ends_it = text.find("\"\"\"") != std::string::npos || text.back() == '"';
  return "\"\"\"" + EscapedLines(text, ends_it ? "\\\"" : "\\") + "\"\"\"";
}

PythonExpressions::PythonExpressions(const Program& program, Variables variables)
    : LanguageExpressions(
          program, std::move(variables),
          {PythonCall, "pulumi.Output.from_input(", "pulumi.Output.all(", ")", "lambda value: ", "lambda values: "}) {}

// An answer as a whole is an object of a class, with the names of Python: what is made of it has those of the schema.
std::string PythonExpressions::Text(const Expression& expression, int depth) const {
  const std::string text = Raw(expression, depth);
  const auto* invoke = std::get_if<InvokeOf>(&deferred_.Meant(expression).node);
  if (!invoke || invoke->answers.empty()) return text;
  std::string fields;
  for (const std::string& name : invoke->answers) {
    fields += (fields.empty() ? "" : ", ") + Quoted(name) + ": value." + PythonName(name);
  }
  return text + ".apply(lambda value: {key: part for key, part in {" + fields + "}.items() if part is not None})";
}

std::string PythonExpressions::Timeouts(const Expression& expression) const {
  std::vector<std::string> arguments;
  for (const Field& timeout : std::get<ObjectOf>(expression.node).fields) {
    arguments.push_back(timeout.name + "=" + Text(*timeout.value, 3));
  }
  return Bracketed({"pulumi.CustomTimeouts(", ")"}, arguments, 2, false);
}

std::string PythonExpressions::Aliases(const Expression& expression) const {
  std::vector<std::string> aliases;
  for (const ExpressionPtr& alias : std::get<ListOf>(expression.node).elements) {
    const auto* object = std::get_if<ObjectOf>(&alias->node);
    std::vector<std::string> arguments;
    for (const Field& field : object ? object->fields : std::vector<Field>()) {
      arguments.push_back((field.name == "type" ? "type_" : field.name) + "=" + Text(*field.value, 4));
    }
    aliases.push_back(object ? Bracketed({"pulumi.Alias(", ")"}, arguments, 3, false) : Text(*alias, 3));
  }
  return Bracketed({"[", "]"}, aliases, 2, false);
}

std::string PythonExpressions::Fields(const std::vector<Field>& fields, bool typed, int depth) const {
  std::vector<std::string> entries;
  for (const Field& field : fields) {
    const std::string key = typed ? PythonName(field.name) : field.name;
    entries.push_back(Quoted(key) + ": " + Text(*field.value, depth + 1));
  }
  return Bracketed({"{", "}"}, entries, depth, false);
}

std::string PythonExpressions::TextOf(const Literal& literal, int) const { return PythonLiteral(literal.value); }

std::string PythonExpressions::TextOf(const ObjectOf& object, int depth) const {
  return Fields(object.fields, object.typed, depth);
}

std::string PythonExpressions::TextOf(const PropertyRef& reference, int) const {
  return variables_.resources.at(reference.key) + "." + PythonName(reference.property);
}

std::string PythonExpressions::StepOf(const PartOf& part) const {
  if (part.typed && part.key.is_string()) return "." + PythonName(part.key.as_string());
  return "[" + PythonLiteral(part.key) + "]";
}

// One output of another stack is a secret by itself, the map of all as soon as any of them is.
std::string PythonExpressions::TextOf(const PartOf& part, int depth) const {
  if (const std::string stack = StackOfOutput(part); !stack.empty()) {
    return stack + ".get_output(" + PythonLiteral(part.key) + ")";
  }
  return Raw(*part.whole, depth) + StepOf(part);
}

std::string PythonExpressions::TextOf(const JoinedText& joined, int depth) const {
  std::string form;
  std::vector<std::string> arguments;
  for (const ExpressionPtr& part : joined.parts) {
    const auto* literal = std::get_if<Literal>(&part->node);
    if (literal && literal->value.is_string()) {
      form += WithoutFields(literal->value.as_string());
    } else {
      form += "{" + std::to_string(arguments.size()) + "}";
      arguments.push_back(Text(*part, depth + 1));
    }
  }
  if (!deferred_.Holds(Expression{joined})) {
    const std::string opening = PythonText(form) + ".format(";
    return Bracketed({opening.c_str(), ")"}, arguments, depth, false);
  }
  arguments.insert(arguments.begin(), PythonText(form));
  return Bracketed({"pulumi.Output.format(", ")"}, arguments, depth, false);
}

std::string PythonExpressions::TextOf(const InvokeOf& invoke, int depth) const {
  std::string function = PythonAlias(PackageOf(invoke.token));
  for (const std::string& module : PythonSdk(invoke.token, program_.packages).modules) function += "." + module;
  function += "." + SnakeCase(FunctionNameOf(invoke.token)) + "_output(";
  std::vector<std::string> arguments;
  for (const Field& argument : invoke.arguments) {
    arguments.push_back(PythonName(argument.name) + "=" + Text(*argument.value, depth + 1));
  }
  if (!invoke.options.empty()) {
    std::vector<std::string> options;
    for (const Field& option : invoke.options) {
      options.push_back(PythonName(option.name) + "=" + Text(*option.value, depth + 2));
    }
    arguments.push_back("opts=" + Bracketed({"pulumi.InvokeOutputOptions(", ")"}, options, depth + 1, false));
  }
  return Bracketed({function.c_str(), ")"}, arguments, depth, false);
}

std::string PythonExpressions::TextOf(const PlaceOf& place, int) const {
  static constexpr const char* kNames[] = {"os.getcwd()",
                                           "pulumi.get_project()",
                                           "pulumi.get_stack()",
                                           "pulumi.get_organization()",
                                           "pulumi.get_root_directory()",
                                           "pulumi.ROOT_STACK_RESOURCE"};
  if (place.what == PlaceOf::What::kDirectory) modules_.insert("os");
  return kNames[static_cast<int>(place.what)];
}

std::string PythonExpressions::TextOf(const AssetOf& asset, int depth) const {
  static constexpr const char* kNames[] = {"pulumi.StringAsset", "pulumi.FileAsset", "pulumi.RemoteAsset"};
  const std::string name = kNames[static_cast<int>(asset.kind)];
  if (deferred_.Holds(*asset.content)) return Wrapped(*asset.content, depth) + ".apply(" + name + ")";
  return name + "(" + Text(*asset.content, depth) + ")";
}

std::string PythonExpressions::TextOf(const ArchiveOf& archive, int depth) const {
  static constexpr const char* kNames[] = {"pulumi.AssetArchive", "pulumi.FileArchive", "pulumi.RemoteArchive"};
  const std::string name = kNames[static_cast<int>(archive.kind)];
  const bool holds = archive.kind == ArchiveData::Kind::kAssets;
  if (deferred_.Is(Expression{archive})) {
    const std::string whole = holds ? "pulumi.Output.from_input(" + Fields(archive.assets, false, depth) + ")"
                                    : Wrapped(*archive.content, depth);
    return whole + ".apply(" + name + ")";
  }
  return name + "(" + (holds ? Fields(archive.assets, false, depth) : Text(*archive.content, depth)) + ")";
}

}  // namespace kingpost::codegen
