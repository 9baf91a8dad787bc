// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/language_expressions.h"
#include "languages/pcl/datum.h"

namespace kingpost::codegen {

namespace {

// A text between quotes: of several lines, if it reads well as such. Quotes stand bare in it, unless they could end it.
std::string PythonText(const std::string& text) {
  if (!IsProse(text)) return Quoted(text);
  const bool ends_it = text.find("\"\"\"") != std::string::npos || text.back() == '"';
  return "\"\"\"" + EscapedLines(text, ends_it ? "\\\"" : "\\") + "\"\"\"";
}

std::string PythonLiteral(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? "True" : "False";
  if (value.is_number()) return pcl::NumberText(value.as_number());
  return value.is_string() ? PythonText(value.as_string()) : "None";
}

std::string PythonKey(const std::string& name, bool typed) { return Quoted(typed ? PythonName(name) : name) + ": "; }

std::string PythonStep(const Value& key, bool named) {
  return named ? "." + PythonName(key.as_string()) : "[" + PythonLiteral(key) + "]";
}

// For str.format.
std::string WithoutFields(const std::string& text) {
  std::string form;
  for (const char c : text) form += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
  return form;
}

class Python final : public LanguageExpressions {
 public:
  Python(const Program& program, Variables variables)
      : LanguageExpressions(program, std::move(variables),
                            {{PythonLiteral, PythonKey, PythonStep},
                             PythonFunctions(),
                             "pulumi.Output.from_input(",
                             "pulumi.Output.all(",
                             ")",
                             "lambda value: ",
                             "lambda values: "}) {}

  // An answer as a whole is an object of a class, with the names of Python: what is made of it has those of the schema.
  std::string Text(const Expression& expression, int depth) const override {
    const std::string text = Raw(expression, depth);
    const Call* invoke = FindCall(deferred_.ResolveValue(expression), kInvoke);
    if (!invoke) return text;
    std::string fields;
    for (const std::string& name : program_.functions.at(InvocationOf(*invoke).token).answers) {
      fields += (fields.empty() ? "" : ", ") + Quoted(name) + ": value." + PythonName(name);
    }
    if (fields.empty()) return text;
    return text + ".apply(lambda value: {key: part for key, part in {" + fields + "}.items() if part is not None})";
  }

  std::string OptionText(const NamedExpression& option, int depth) const override {
    if (option.name == "customTimeouts") return Object("pulumi.CustomTimeouts(", *option.value, depth);
    if (option.name != "aliases") return Text(*option.value, depth);
    std::vector<std::string> aliases;
    for (const ExpressionPtr& alias : option.value->as<TupleLiteral>()->elements) {
      const bool object = alias->as<ObjectLiteral>() != nullptr;
      aliases.push_back(object ? Object("pulumi.Alias(", *alias, depth + 1) : Text(*alias, depth + 1));
    }
    return Bracketed({"[", "]"}, aliases, depth, false);
  }

 private:
  std::string Object(const char* opening, const Expression& expression, int depth) const {
    std::vector<std::string> arguments;
    for (const NamedExpression& field : FieldsOf(*expression.as<ObjectLiteral>())) {
      arguments.push_back((field.name == "type" ? "type_" : field.name) + "=" + Text(*field.value, depth + 1));
    }
    return Bracketed({opening, ")"}, arguments, depth, false);
  }

  std::vector<std::string> Arguments(const std::vector<NamedExpression>& given, int depth) const {
    std::vector<std::string> arguments;
    for (const NamedExpression& each : given)
      arguments.push_back(PythonName(each.name) + "=" + Text(*each.value, depth));
    return arguments;
  }

  using LanguageExpressions::TextOf;
  std::string TextOf(const Template& joined, int depth) const override {
    std::string form;
    std::vector<std::string> arguments;
    for (const ExpressionPtr& part : joined.parts) {
      if (const std::string* text = LiteralText(part)) {
        form += WithoutFields(*text);
      } else {
        form += "{" + std::to_string(arguments.size()) + "}";
        arguments.push_back(Text(*part, depth + 1));
      }
    }
    if (!deferred_.HoldsAny(joined.parts)) {
      const std::string opening = PythonText(form) + ".format(";
      return Bracketed({opening.c_str(), ")"}, arguments, depth, false);
    }
    arguments.insert(arguments.begin(), PythonText(form));
    return Bracketed({"pulumi.Output.format(", ")"}, arguments, depth, false);
  }

  std::string TextOf(const Invocation& invocation, int depth) const override {
    std::string function = PythonAlias(PackageOf(invocation.token));
    for (const std::string& module : PythonSdk(invocation.token, program_.packages).modules) function += "." + module;
    function += "." + PythonFunctionName(invocation.token) + "_output(";
    std::vector<std::string> arguments = Arguments(invocation.arguments, depth + 1);
    if (!invocation.options.empty()) {
      const std::vector<std::string> options = Arguments(invocation.options, depth + 2);
      arguments.push_back("opts=" + Bracketed({"pulumi.InvokeOutputOptions(", ")"}, options, depth + 1, false));
    }
    return Bracketed({function.c_str(), ")"}, arguments, depth, false);
  }
};

}  // namespace

std::string PythonAlias(const std::string& package) { return PythonName(package); }

std::unique_ptr<LanguageExpressions> PythonExpressions(const Program& program, Variables variables) {
  return std::make_unique<Python>(program, std::move(variables));
}

}  // namespace kingpost::codegen
