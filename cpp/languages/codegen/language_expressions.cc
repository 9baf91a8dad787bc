// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/language_expressions.h"

#include "languages/codegen/functions.h"
#include "languages/codegen/layout.h"

namespace kingpost::codegen {

LanguageExpressions::LanguageExpressions(const Program& program, Variables variables, const Idioms& idioms)
    : program_(program),
      deferred_(program),
      variables_(std::move(variables)),
      idioms_(idioms),
      stack_references_(StackReferencesIn(program)) {}

std::string LanguageExpressions::Raw(const Expression& expression, int depth) const {
  return std::visit([&](const auto& node) { return TextOf(node, depth); }, expression.node);
}

std::string LanguageExpressions::TextOf(const ListOf& list, int depth) const {
  std::vector<std::string> elements;
  for (const ExpressionPtr& element : list.elements) elements.push_back(Text(*element, depth + 1));
  return Bracketed({"[", "]"}, elements, depth, false);
}

std::string LanguageExpressions::TextOf(const CallOf& call, int depth) const {
  using Function = CallOf::Function;
  if (call.function == Function::kUnsecret) return Call(call, {Wrapped(*call.arguments[0], depth)});
  std::vector<std::string> arguments;
  for (const ExpressionPtr& argument : call.arguments) arguments.push_back(Text(*argument, depth));
  const std::vector<size_t> later = DeferredArguments(call, deferred_);
  if (later.empty() || call.function == Function::kSecret) return Call(call, arguments);
  const std::string applied = idioms_.call(call.function, arguments).applied;
  if (!applied.empty()) {
    Call(call, arguments);  // for what it needs
    return Wrapped(*call.arguments[later[0]], depth) + ".apply(" + applied + ")";
  }
  if (later.size() == 1) {
    arguments[later[0]] = "value";
    return Wrapped(*call.arguments[later[0]], depth) + ".apply(" + idioms_.of_parameter + Call(call, arguments) + ")";
  }
  std::string all;
  for (size_t i = 0; i < later.size(); ++i) {
    all += (i == 0 ? "" : ", ") + arguments[later[i]];
    arguments[later[i]] = "values[" + std::to_string(i) + "]";
  }
  return idioms_.all + all + idioms_.all_end + ".apply(" + idioms_.of_parameters + Call(call, arguments) + ")";
}

std::string LanguageExpressions::Wrapped(const Expression& expression, int depth) const {
  const std::string text = Text(expression, depth);
  return deferred_.Is(expression) ? text : idioms_.wrap + text + ")";
}

std::string LanguageExpressions::StackOfOutput(const PartOf& part) const {
  const auto* outputs = std::get_if<PropertyRef>(&part.whole->node);
  if (!outputs || outputs->property != "outputs" || !part.key.is_string()) return "";
  return stack_references_.count(outputs->key) > 0 ? variables_.resources.at(outputs->key) : "";
}

std::string LanguageExpressions::Call(const CallOf& call, const std::vector<std::string>& arguments) const {
  FunctionCode code = idioms_.call(call.function, arguments);
  modules_.insert(code.modules.begin(), code.modules.end());
  if (!code.helper.empty()) helpers_.insert(std::move(code.helper));
  return code.call;
}

}  // namespace kingpost::codegen
