// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/program.h"

#include <algorithm>

namespace kingpost::codegen {

namespace {

void AddCalls(const ExpressionPtr& expression, std::vector<const Call*>* calls) {
  if (!expression) return;
  if (const auto* call = expression->as<Call>()) calls->push_back(call);
  for (const ExpressionPtr& part : pcl::PartsOf(*expression)) AddCalls(part, calls);
}

}  // namespace

ExpressionPtr MakeTexts(const std::vector<std::string>& texts) {
  TupleLiteral list;
  for (const std::string& text : texts) list.elements.push_back(MakeText(text));
  return Make(std::move(list));
}

ExpressionPtr MakeObject(const std::vector<NamedExpression>& fields, bool typed) {
  ObjectLiteral object;
  object.typed = typed;
  for (const NamedExpression& field : fields) object.Add(field.name, field.value);
  return Make(std::move(object));
}

ExpressionPtr MakeCall(const std::string& function, std::vector<ExpressionPtr> arguments) {
  return Make(Call{function, std::move(arguments)});
}

std::vector<NamedExpression> FieldsOf(const ObjectLiteral& object) {
  std::vector<NamedExpression> fields;
  for (const ObjectLiteral::Item& item : object.items) fields.push_back({*LiteralText(item.key), item.value});
  return fields;
}

const Call* FindCall(const Expression& expression, const std::string& function) {
  const auto* call = expression.as<Call>();
  return call && call->function == function ? call : nullptr;
}

Invocation InvocationOf(const Call& call) {
  Invocation invocation{*LiteralText(call.arguments[0]), FieldsOf(*call.arguments[1]->as<ObjectLiteral>()), {}};
  if (call.arguments.size() > 2) invocation.options = FieldsOf(*call.arguments[2]->as<ObjectLiteral>());
  return invocation;
}

std::string NameInYaml(const std::string& function) { return function == kTextLength ? "length" : function; }

std::vector<const Call*> CallsIn(const Program& program) {
  std::vector<const Call*> calls;
  const auto add = [&calls](const std::vector<NamedExpression>& list) {
    for (const NamedExpression& each : list) AddCalls(each.value, &calls);
  };
  for (const Resource& resource : program.resources) {
    add(resource.inputs);
    add(resource.options);
    AddCalls(resource.id, &calls);
  }
  for (const Setting& setting : program.settings) AddCalls(setting.default_value, &calls);
  add(program.variables);
  add(program.outputs);
  return calls;
}

std::vector<Statement> StatementsOf(const Program& program) {
  std::vector<Statement> statements;
  size_t variable = 0;
  for (size_t i = 0; i <= program.resources.size(); ++i) {
    for (; variable < program.variables.size() && program.resources_before[variable] == i; ++variable) {
      statements.push_back({nullptr, &program.variables[variable]});
    }
    if (i < program.resources.size()) statements.push_back({&program.resources[i], nullptr});
  }
  return statements;
}

const Resource* FindResource(const Program& program, const std::string& key) {
  const auto found = std::find_if(program.resources.begin(), program.resources.end(),
                                  [&](const Resource& resource) { return resource.key == key; });
  return found == program.resources.end() ? nullptr : &*found;
}

bool IsSecret(const Program& program, const SettingRef& reference) {
  return std::any_of(program.settings.begin(), program.settings.end(),
                     [&](const Setting& setting) { return setting.name == reference.name && setting.secret; });
}

}  // namespace kingpost::codegen
