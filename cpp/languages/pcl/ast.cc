// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/ast.h"

#include <algorithm>

#include "languages/pcl/datum.h"

namespace kingpost::pcl {

namespace {

struct Parts {
  std::vector<ExpressionPtr>* out;

  template <class... Each>
  void Add(const Each&... parts) const {
    for (const ExpressionPtr& part : {parts...}) {
      if (part) out->push_back(part);
    }
  }
  void operator()(const Literal&) const {}
  void operator()(const Variable&) const {}
  void operator()(const Template& node) const { *out = node.parts; }
  void operator()(const GetAttribute& node) const { Add(node.object); }
  void operator()(const GetIndex& node) const { Add(node.collection, node.key); }
  void operator()(const Unary& node) const { Add(node.operand); }
  void operator()(const Binary& node) const { Add(node.left, node.right); }
  void operator()(const Conditional& node) const { Add(node.condition, node.then, node.otherwise); }
  void operator()(const Call& node) const { *out = node.arguments; }
  void operator()(const TupleLiteral& node) const { *out = node.elements; }
  void operator()(const ObjectLiteral& node) const {
    for (const ObjectLiteral::Item& item : node.items) Add(item.key, item.value);
  }
  void operator()(const For& node) const { Add(node.collection, node.key, node.value, node.condition); }
  void operator()(const Parentheses& node) const { Add(node.inner); }
  void operator()(const ResourceRef&) const {}
  void operator()(const PropertyRef&) const {}
  void operator()(const SettingRef&) const {}
};

}  // namespace

ExpressionPtr Make(Expression::Node node, Position at) {
  auto expression = std::make_shared<Expression>(Expression{std::move(node), at, 1});
  for (const ExpressionPtr& part : PartsOf(*expression)) {
    expression->depth = std::max(expression->depth, part->depth + 1);
  }
  return expression;
}

std::vector<ExpressionPtr> PartsOf(const Expression& expression) {
  std::vector<ExpressionPtr> parts;
  std::visit(Parts{&parts}, expression.node);
  return parts;
}

void Walk(const Expression& expression, const std::function<void(const Expression&)>& visit) {
  visit(expression);
  for (const ExpressionPtr& part : PartsOf(expression)) Walk(*part, visit);
}

const std::string* LiteralText(const ExpressionPtr& expression) {
  const auto* literal = expression ? expression->as<Literal>() : nullptr;
  return literal && literal->value.is_string() ? &literal->value.as_string() : nullptr;
}

const std::string* InvokedToken(const Expression& expression) {
  const auto* call = expression.as<Call>();
  return call && call->function == "invoke" && !call->arguments.empty() ? LiteralText(call->arguments[0]) : nullptr;
}

std::optional<PathStep> LastStepOf(const Expression& expression) {
  if (const auto* node = expression.as<GetAttribute>()) return PathStep{node->object, Value(node->name), true};
  const auto* node = expression.as<GetIndex>();
  const auto* key = node ? node->key->as<Literal>() : nullptr;
  return key ? std::optional(PathStep{node->collection, key->value, false}) : std::nullopt;
}

std::optional<std::string> SpelledPath(const Expression& expression) {
  if (const auto* variable = expression.as<Variable>()) return variable->name;
  const auto step = LastStepOf(expression);
  const auto whole = step ? SpelledPath(*step->whole) : std::nullopt;
  if (!whole) return std::nullopt;
  if (step->named) return *whole + "." + step->key.as_string();
  if (step->key.is_number()) return *whole + "[" + NumberText(step->key.as_number()) + "]";
  if (!step->key.is_string()) return std::nullopt;
  std::string escaped;
  for (const char c : step->key.as_string()) escaped += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return *whole + "[\"" + escaped + "\"]";
}

void ObjectLiteral::Add(const std::string& key, ExpressionPtr value) {
  items.push_back({Make(Literal{Value(key)}), std::move(value)});
}

const NamedExpression* FindNamed(const std::vector<NamedExpression>& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, &NamedExpression::name);
  return found == list.end() ? nullptr : &*found;
}

}  // namespace kingpost::pcl
