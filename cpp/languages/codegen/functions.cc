// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/functions.h"

namespace kingpost::codegen {

namespace {

class ExpressionVisitor {
 public:
  void Visit(const ExpressionPtr& expression) {
    if (!expression) return;
    std::visit([this](const auto& node) { VisitParts(node); }, expression->node);
  }
  void Visit(const std::vector<Field>& fields) {
    for (const Field& field : fields) Visit(field.value);
  }
  void Visit(const std::vector<ExpressionPtr>& list) {
    for (const ExpressionPtr& each : list) Visit(each);
  }
  std::vector<std::string> Take() { return std::move(tokens_); }
  bool calls() const { return calls_; }

 private:
  template <class Node>
  void VisitParts(const Node&) {}
  void VisitParts(const ListOf& list) { Visit(list.elements); }
  void VisitParts(const ObjectOf& object) { Visit(object.fields); }
  void VisitParts(const PartOf& part) { Visit(part.whole); }
  void VisitParts(const JoinedText& text) { Visit(text.parts); }
  void VisitParts(const CallOf& call) {
    calls_ = true;
    Visit(call.arguments);
  }
  void VisitParts(const AssetOf& asset) { Visit(asset.content); }
  void VisitParts(const ArchiveOf& archive) {
    Visit(archive.content);
    Visit(archive.assets);
  }
  void VisitParts(const InvokeOf& invoke) {
    tokens_.push_back(invoke.token);
    Visit(invoke.arguments);
    Visit(invoke.options);
  }

  std::vector<std::string> tokens_;
  bool calls_ = false;
};

ExpressionVisitor Visited(const Program& program) {
  ExpressionVisitor finder;
  for (const Resource& resource : program.resources) {
    finder.Visit(resource.inputs);
    finder.Visit(resource.options);
    finder.Visit(resource.id_value);
  }
  for (const Setting& setting : program.settings) finder.Visit(setting.default_value);
  for (const Variable& variable : program.variables) finder.Visit(variable.value);
  finder.Visit(program.outputs);
  return finder;
}

}  // namespace

std::vector<size_t> DeferredArguments(const CallOf& call, const DeferredValues& deferred) {
  std::vector<size_t> places;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (deferred.Holds(*call.arguments[i])) places.push_back(i);
  }
  return places;
}

std::string FunctionNameOf(const std::string& token) { return token.substr(token.rfind(':') + 1); }

std::vector<std::string> InvokedTokens(const Program& program) { return Visited(program).Take(); }

bool CallsFunctions(const Program& program) { return Visited(program).calls(); }

std::set<std::string> StackReferencesIn(const Program& program) {
  std::set<std::string> keys;
  for (const Resource& resource : program.resources) {
    if (resource.token == kStackReferenceToken) keys.insert(resource.key);
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
