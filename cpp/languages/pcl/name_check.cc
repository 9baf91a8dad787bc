// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/name_check.h"

#include "languages/pcl/builtins.h"

namespace kingpost::pcl {

namespace {

// Those that the evaluator knows besides the builtins.
bool IsSpecial(const std::string& function) {
  for (const char* name : {"try", "can", "recover", "invoke", "call"}) {
    if (function == name) return true;
  }
  return false;
}

void CheckFunction(const Call& call, Position at, std::vector<Status>* mistakes) {
  const Builtin* builtin = FindBuiltin(call.function);
  if (IsSpecial(call.function) || (builtin && builtin->snippets.compute)) return;
  const std::string why = builtin ? builtin->unsupported_text : "";
  mistakes->push_back(why.empty() ? ErrorAt(at, "unknown function '" + call.function + "'")
                                  : ErrorAt(at, "function '" + call.function + "' is not offered: " + why));
}

}  // namespace

Status UndefinedVariable(Position at, const std::string& name) {
  return ErrorAt(
      at, "undefined variable " + name + ": a snippet knows the names of its references, and 'range' if it has one");
}

void CheckNames(const Expression& expression, const std::set<std::string>& names, std::vector<Status>* mistakes) {
  if (const auto* variable = expression.as<Variable>()) {
    if (names.count(variable->name) == 0) mistakes->push_back(UndefinedVariable(expression.at, variable->name));
    return;
  }
  if (const auto* loop = expression.as<For>()) {
    CheckNames(*loop->collection, names, mistakes);
    std::set<std::string> inner = names;
    inner.insert(loop->value_name);
    if (!loop->key_name.empty()) inner.insert(loop->key_name);
    for (const ExpressionPtr& part : {loop->key, loop->value, loop->condition}) {
      if (part) CheckNames(*part, inner, mistakes);
    }
    return;
  }
  const auto* call = expression.as<Call>();
  if (call) CheckFunction(*call, expression.at, mistakes);
  std::set<std::string> inner = names;
  if (call && call->function == "recover") inner.insert("error");  // what the first argument failed with
  for (const ExpressionPtr& part : PartsOf(expression)) CheckNames(*part, inner, mistakes);
}

}  // namespace kingpost::pcl
