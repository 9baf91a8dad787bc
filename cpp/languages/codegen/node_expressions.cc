// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/node_expressions.h"

#include "languages/codegen/functions.h"
#include "languages/codegen/layout.h"
#include "languages/codegen/packages.h"
#include "languages/pcl/datum.h"

namespace kingpost::codegen {

namespace {

// Between backquotes.
std::string NodeTemplatePart(const std::string& text) {
  std::string escaped = EscapedLines(text, "`\\");
  for (size_t at = escaped.find("${"); at != std::string::npos; at = escaped.find("${", at + 3))
    escaped.insert(at, "\\");
  return escaped;
}

std::string NodeText(const std::string& text) {
  return IsProse(text) ? "`" + NodeTemplatePart(text) + "`" : Quoted(text);
}

std::string NodeLiteral(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_number()) return pcl::NumberText(value.as_number());
  return value.is_string() ? NodeText(value.as_string()) : "null";
}

std::string NodeKey(const std::string& name) {
  if (name == "__proto__") return "[\"__proto__\"]";  // else it would set the object's prototype
  return IsIdentifier(name) ? name : Quoted(name);
}

// ".name", "[0]"; behind what may be missing "?.name", "?.[0]".
std::string NodeStep(const Value& key, bool may_miss) {
  const bool plain = key.is_string() && IsIdentifier(key.as_string());
  const std::string step = plain ? "." + key.as_string() : "[" + NodeLiteral(key) + "]";
  if (!may_miss) return step;
  return (plain ? "?" : "?.") + step;
}

}  // namespace

std::string NodeAlias(std::string package) {
  for (char& c : package) {
    if (c == '-' || c == '.') c = '_';
  }
  return IsTypeScriptKeyword(package) ? "_" + package : package;
}

NodeExpressions::NodeExpressions(const Program& program, Variables variables)
    : LanguageExpressions(program, std::move(variables),
                          {NodeCall, "pulumi.output(", "pulumi.all([", "])", "value => ", "values => "}) {}

std::string NodeExpressions::Fields(const std::vector<Field>& fields, int depth, size_t columns_before) const {
  std::vector<std::string> entries;
  for (const Field& field : fields) entries.push_back(NodeKey(field.name) + ": " + Text(*field.value, depth + 1));
  return Bracketed({"{", "}"}, entries, depth, true, columns_before);
}

std::string NodeExpressions::TextOf(const Literal& literal, int) const { return NodeLiteral(literal.value); }

std::string NodeExpressions::TextOf(const ObjectOf& object, int depth) const { return Fields(object.fields, depth); }

// The types say that what a schema does not promise may be missing; who takes it asks for a value.
std::string NodeExpressions::TextOf(const PropertyRef& reference, int) const {
  const std::string property = variables_.resources.at(reference.key) + NodeStep(Value(reference.property), false);
  return property + (reference.optional ? ".apply(value => value!)" : "");
}

// Parts of what comes later are asked for at once, when it has come: any of them may be missing.
std::string NodeExpressions::TextOf(const PartOf& part, int depth) const {
  if (const std::string stack = StackOfOutput(part); !stack.empty()) {
    return stack + ".getOutput(" + NodeLiteral(part.key) + ")";
  }
  std::string path;
  const Expression* whole = nullptr;
  for (const PartOf* at = &part; at; at = std::get_if<PartOf>(&whole->node)) {
    whole = at->whole.get();
    path = NodeStep(at->key, deferred_.Is(*whole)) + path;
  }
  const auto* property = std::get_if<PropertyRef>(&whole->node);
  const std::string base =
      property ? TextOf(PropertyRef{property->key, property->property}, depth) : Text(*whole, depth);
  return deferred_.Is(*whole) ? base + ".apply(value => value" + path + "!)" : base + path;
}

std::string NodeExpressions::TextOf(const JoinedText& joined, int depth) const {
  std::string text;
  for (const ExpressionPtr& part : joined.parts) {
    const auto* literal = std::get_if<Literal>(&part->node);
    const bool plain = literal && literal->value.is_string();
    text += plain ? NodeTemplatePart(literal->value.as_string()) : "${" + Text(*part, depth) + "}";
  }
  return (deferred_.Holds(Expression{joined}) ? "pulumi.interpolate`" : "`") + text + "`";
}

std::string NodeExpressions::TextOf(const InvokeOf& invoke, int depth) const {
  std::string function = NodeAlias(PackageOf(invoke.token));
  for (const std::string& module : NodeSdk(invoke.token, program_.packages).modules) function += "." + module;
  function += "." + FunctionNameOf(invoke.token) + "Output(";
  const std::string arguments = invoke.takes_arguments ? Fields(invoke.arguments, depth) : "";
  const std::string options = invoke.options.empty() ? "" : Fields(invoke.options, depth);
  return function + arguments + (arguments.empty() || options.empty() ? "" : ", ") + options + ")";
}

std::string NodeExpressions::TextOf(const PlaceOf& place, int) const {
  static constexpr const char* kNames[] = {"process.cwd()",
                                           "pulumi.getProject()",
                                           "pulumi.getStack()",
                                           "pulumi.getOrganization()",
                                           "pulumi.getRootDirectory()",
                                           "pulumi.rootStackResource"};
  return kNames[static_cast<int>(place.what)];
}

std::string NodeExpressions::TextOf(const AssetOf& asset, int depth) const {
  static constexpr const char* kNames[] = {"StringAsset", "FileAsset", "RemoteAsset"};
  const std::string name = std::string("new pulumi.asset.") + kNames[static_cast<int>(asset.kind)];
  if (deferred_.Holds(*asset.content)) return Wrapped(*asset.content, depth) + ".apply(text => " + name + "(text))";
  return name + "(" + Text(*asset.content, depth) + ")";
}

std::string NodeExpressions::TextOf(const ArchiveOf& archive, int depth) const {
  static constexpr const char* kNames[] = {"AssetArchive", "FileArchive", "RemoteArchive"};
  const std::string name = std::string("new pulumi.asset.") + kNames[static_cast<int>(archive.kind)];
  const bool holds = archive.kind == ArchiveData::Kind::kAssets;
  if (deferred_.Is(Expression{archive})) {
    const std::string whole =
        holds ? "pulumi.output(" + Fields(archive.assets, depth) + ")" : Wrapped(*archive.content, depth);
    return whole + ".apply(content => " + name + "(content))";
  }
  return name + "(" + (holds ? Fields(archive.assets, depth) : Text(*archive.content, depth)) + ")";
}

}  // namespace kingpost::codegen
