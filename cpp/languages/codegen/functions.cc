// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/functions.h"

#include <algorithm>

#include "languages/pcl/builtins.h"
#include "model/stack_reference.h"

namespace kingpost::codegen {

namespace {

void AddCalls(const ExpressionPtr& expression, std::vector<const Call*>* calls) {
  if (!expression) return;
  if (const auto* call = expression->as<Call>()) calls->push_back(call);
  for (const ExpressionPtr& part : pcl::PartsOf(*expression)) AddCalls(part, calls);
}

std::vector<const Call*> CallsIn(const Program& program) {
  std::vector<const Call*> calls;
  const auto add = [&calls](const std::vector<NamedExpression>& list) {
    for (const NamedExpression& each : list) AddCalls(each.value, &calls);
  };
  for (const Resource& resource : program.resources) {
    add(resource.inputs);
    add(resource.options);
    AddCalls(resource.id_value, &calls);
  }
  for (const Setting& setting : program.settings) AddCalls(setting.default_value, &calls);
  add(program.variables);
  add(program.outputs);
  return calls;
}

// Neither what a provider has, nor a file, nor what tells where the program runs.
bool IsOfLanguage(const Call& call) {
  if (call.function == kInvoke || call.arguments.empty()) return false;
  const pcl::Builtin* builtin = pcl::FindBuiltin(call.function);
  using Kind = schema::Type::Kind;
  return !builtin || (builtin->result != Kind::kAsset && builtin->result != Kind::kArchive);
}

}  // namespace

Invocation InvocationOf(const Call& call) {
  Invocation invocation{*LiteralText(call.arguments[0]), FieldsOf(*call.arguments[1]->as<ObjectLiteral>()), {}};
  if (call.arguments.size() > 2) invocation.options = FieldsOf(*call.arguments[2]->as<ObjectLiteral>());
  return invocation;
}

std::string NameInYaml(const std::string& function) { return function == kTextLength ? "length" : function; }

bool CallsFunctions(const Program& program) {
  const std::vector<const Call*> calls = CallsIn(program);
  return std::any_of(calls.begin(), calls.end(), [](const Call* call) { return IsOfLanguage(*call); });
}

std::map<std::string, std::string> ImportsOf(const Program& program,
                                             SdkName (*sdk)(const std::string& token, const Packages& packages)) {
  std::map<std::string, std::string> imports;
  for (const Call* call : CallsIn(program)) {
    if (call->function != kInvoke) continue;
    const std::string& token = *LiteralText(call->arguments[0]);
    imports[PackageOf(token)] = sdk(token, program.packages).import;
  }
  for (const Resource& resource : program.resources) {
    const std::string import = sdk(resource.token, program.packages).import;
    if (resource.kind != Resource::Kind::kComponent && !import.empty()) imports[PackageOf(resource.token)] = import;
  }
  return imports;
}

std::set<std::string> StackReferencesIn(const Program& program) {
  std::set<std::string> keys;
  for (const Resource& resource : program.resources) {
    if (resource.token == kStackReferenceType) keys.insert(resource.key);
  }
  return keys;
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

SettingName SplitSetting(const std::string& name) {
  const size_t colon = name.find(':');
  if (colon == std::string::npos) return {"", name};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

}  // namespace kingpost::codegen
