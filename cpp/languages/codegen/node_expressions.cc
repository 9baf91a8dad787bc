// SPDX-License-Identifier: Apache-2.0
// Expressions in TypeScript, and in JavaScript where no type has to be said.
#include <algorithm>

#include "languages/codegen/language_expressions.h"
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

std::string NodeKey(const std::string& name, bool) {
  if (name == "__proto__") return "[\"__proto__\"]: ";  // else it would set the object's prototype
  return (IsIdentifier(name) ? name : Quoted(name)) + ": ";
}

bool IsName(const Value& key) { return key.is_string() && IsIdentifier(key.as_string()); }

std::string NodeStep(const Value& key, bool) {
  return IsName(key) ? "." + key.as_string() : "[" + NodeLiteral(key) + "]";
}

class Node final : public LanguageExpressions {
 public:
  Node(const Program& program, Variables variables)
      : LanguageExpressions(program, std::move(variables),
                            {{NodeLiteral, NodeKey, NodeStep, /*spaced=*/true},
                             NodeFunctions(),
                             "pulumi.output(",
                             "pulumi.all([",
                             "])",
                             "value => ",
                             "values => "}) {}

 private:
  // The types say that what a schema does not promise may be missing; who takes it asks for a value.
  std::string TextOf(const PropertyRef& reference) const override {
    return LanguageExpressions::TextOf(reference) + (reference.optional ? ".apply(value => value!)" : "");
  }

  // Parts of what comes later are asked for at once, when it has come: any of them may be missing ("?.name", "?.[0]").
  std::string PathText(const PathStep& step, int depth) const override {
    std::string path;
    const Expression* whole = nullptr;
    for (std::optional<PathStep> at = step; at; at = pcl::LastStepOf(*whole)) {
      whole = at->whole.get();
      const char* may_miss = !deferred_.Is(*whole) ? "" : IsName(at->key) ? "?" : "?.";
      path = may_miss + NodeStep(at->key, at->named) + path;
    }
    const auto* property = whole->as<PropertyRef>();
    const std::string base = property ? TextOf(PropertyRef{property->key, property->property}) : Text(*whole, depth);
    return deferred_.Is(*whole) ? base + ".apply(value => value" + path + "!)" : base + path;
  }

  std::string TextOf(const Template& joined, int depth) const override {
    std::string text;
    for (const ExpressionPtr& part : joined.parts) {
      const std::string* literal = LiteralText(part);
      text += literal ? NodeTemplatePart(*literal) : "${" + Text(*part, depth) + "}";
    }
    return (deferred_.HoldsAny(joined.parts) ? "pulumi.interpolate`" : "`") + text + "`";
  }

  std::string TextOf(const Invocation& invocation, int depth) const override {
    const std::string& token = invocation.token;
    std::string function = NodeAlias(PackageOf(token));
    for (const std::string& module : NodeSdk(token, program_.packages).modules) function += "." + module;
    function += "." + schema::NameOfToken(token) + "Output(";
    const bool takes_arguments = program_.functions.at(token).takes_arguments;
    const std::string arguments = takes_arguments ? Fields(invocation.arguments, true, depth) : "";
    const std::string options = invocation.options.empty() ? "" : Fields(invocation.options, true, depth);
    return function + arguments + (arguments.empty() || options.empty() ? "" : ", ") + options + ")";
  }

  using LanguageExpressions::TextOf;
};

}  // namespace

std::string NodeAlias(const std::string& package) {
  std::string alias = package;
  std::replace_if(
      alias.begin(), alias.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return IsTypeScriptKeyword(alias) ? "_" + alias : alias;
}

std::unique_ptr<LanguageExpressions> NodeExpressions(const Program& program, Variables variables) {
  return std::make_unique<Node>(program, std::move(variables));
}

}  // namespace kingpost::codegen
