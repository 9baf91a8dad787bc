// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/language_expressions.h"

#include <algorithm>

#include "base/status.h"

namespace kingpost::codegen {

namespace {

constexpr char kNothing[] = "\"\"";

const FunctionForm& FormOf(std::span<const FunctionForm> forms, const std::string& function,
                           const std::vector<std::string>& arguments) {
  const std::string name = function == "split" && arguments[0] == kNothing ? kSplitByNothing : function;
  const auto form =
      std::find_if(forms.begin(), forms.end(), [&](const FunctionForm& each) { return each.name == name; });
  KP_ASSERT(form != forms.end(), "the table of a language has all functions");
  return *form;
}

}  // namespace

LanguageExpressions::LanguageExpressions(const Program& program, Variables variables, const Idioms& idioms)
    : ExpressionPrinter(program, std::move(variables), idioms.notation),
      deferred_(program),
      idioms_(idioms),
      stack_references_(StackReferencesIn(program)) {}

std::string LanguageExpressions::TextOf(const Call& call, int depth) const {
  if (call.function == kInvoke) return TextOf(InvocationOf(call), depth);
  std::vector<std::string> arguments;
  std::vector<size_t> later;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const Expression& argument = *call.arguments[i];
    arguments.push_back(call.function == "unsecret" ? Wrapped(argument, depth) : Text(argument, depth));
    if (deferred_.Holds(argument)) later.push_back(i);
  }
  const FunctionForm& form = FormOf(idioms_.functions, call.function, arguments);
  const bool marks = call.function == "secret" || call.function == "unsecret";
  if (later.empty() || marks) return CallText(form, arguments);
  if (*form.applied) {
    CallText(form, arguments);  // for what it needs
    return Wrapped(*call.arguments[later[0]], depth) + ".apply(" + form.applied + ")";
  }
  if (later.size() == 1) {
    arguments[later[0]] = "value";
    return Wrapped(*call.arguments[later[0]], depth) + ".apply(" + idioms_.of_parameter + CallText(form, arguments) +
           ")";
  }
  std::string all;
  for (size_t i = 0; i < later.size(); ++i) {
    all += (i == 0 ? "" : ", ") + arguments[later[i]];
    arguments[later[i]] = "values[" + std::to_string(i) + "]";
  }
  return idioms_.all + all + idioms_.all_end + ".apply(" + idioms_.of_parameters + CallText(form, arguments) + ")";
}

// One output of another stack is a secret by itself, the map of all as soon as any of them is.
std::string LanguageExpressions::TextOf(const PathStep& step, int depth) const {
  const auto* outputs = step.whole->as<PropertyRef>();
  const bool of_stack =
      outputs && outputs->property == "outputs" && step.key.is_string() && stack_references_.count(outputs->key) > 0;
  if (!of_stack) return PathText(step, depth);
  return CallText(FormOf(idioms_.functions, "getOutput", {}),
                  {variables_.resources.at(outputs->key), notation_.literal(step.key)});
}

std::string LanguageExpressions::Wrapped(const Expression& expression, int depth) const {
  const std::string text = Text(expression, depth);
  return deferred_.Is(expression) ? text : idioms_.wrap + text + ")";
}

std::string LanguageExpressions::CallText(const FunctionForm& form, const std::vector<std::string>& arguments) const {
  for (const char* module : form.modules) {
    if (module) modules_.insert(module);
  }
  if (*form.helper) helpers_.insert(form.helper);
  std::string text;
  for (const char* at = form.call; *at; ++at)
    text += *at == '$' ? arguments[static_cast<size_t>(*++at - '0')] : std::string(1, *at);
  return text;
}

}  // namespace kingpost::codegen
