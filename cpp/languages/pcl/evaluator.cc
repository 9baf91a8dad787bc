// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/evaluator.h"

#include <cmath>

#include "languages/pcl/name_check.h"
#include "languages/pcl/size_budget.h"

namespace kingpost::pcl {

namespace {

Result<double> NumberOf(const Datum& datum, const std::string& op, Position at) {
  if (const auto number = ToNumber(datum.value)) return *number;
  return ErrorAt(at, "'" + op + "' needs numbers, and got " + KindName(datum.value));
}

}  // namespace

Result<Datum> Evaluator::Evaluate(const Expression& expression, const Scope& scope) {
  const Position at = expression.at;
  if (const auto* node = expression.as<Literal>()) return Datum{node->value, {}};
  if (const auto* node = expression.as<Parentheses>()) return Evaluate(*node->inner, scope);
  if (const auto* node = expression.as<Template>()) return EvaluateTemplate(*node, at, scope);
  if (const auto* node = expression.as<Variable>()) {
    const Scope::Entry* found = scope.Find(node->name);
    if (found) return found->datum;
    return UndefinedVariable(at, node->name);
  }
  if (expression.as<SplatElement>()) {
    const Scope::Entry* element = scope.Find(kElement);
    KP_ASSERT(element, "only the part of a splat that is asked of each element names it");
    return element->datum;
  }
  if (const auto* node = expression.as<GetAttribute>()) return EvaluateAttribute(*node, at, scope);
  if (const auto* node = expression.as<GetIndex>()) return EvaluateIndex(*node, at, scope);
  if (const auto* node = expression.as<Splat>()) return EvaluateSplat(*node, scope);
  if (const auto* node = expression.as<Unary>()) return EvaluateUnary(*node, at, scope);
  if (const auto* node = expression.as<Binary>()) return EvaluateBinary(*node, at, scope);
  if (const auto* node = expression.as<Conditional>()) return EvaluateConditional(*node, at, scope);
  if (const auto* node = expression.as<TupleLiteral>()) return EvaluateTuple(*node, at, scope);
  if (const auto* node = expression.as<ObjectLiteral>()) return EvaluateObject(*node, at, scope);
  if (const auto* node = expression.as<For>()) return EvaluateFor(*node, at, scope);
  const auto* call = expression.as<Call>();
  KP_ASSERT(call, "a tree that is written in another language is not evaluated");
  return EvaluateCall(*call, at, scope);
}

Result<Datum> Evaluator::EvaluateTemplate(const Template& node, Position at, const Scope& scope) {
  SizeBudget budget(at, &size_);
  Datum result{Value(""), {}};
  std::string text;
  for (const ExpressionPtr& part : node.parts) {
    auto value = Evaluate(*part, scope);
    if (!value.ok()) return value.status();
    result.marks.Add(value->marks);
    if (!value->known()) {
      result.value = Value(Computed());
      continue;
    }
    const auto piece = around_.dialect.text_of(value->value);
    if (!piece) {
      return ErrorAt(part->at,
                     std::string("a template can hold texts, numbers and bools, not ") + KindName(value->value));
    }
    KP_TRY(budget.AddText(piece->size()));
    text += *piece;
  }
  if (result.known()) result.value = Value(std::move(text));
  return result;
}

Result<Datum> Evaluator::EvaluateUnary(const Unary& node, Position at, const Scope& scope) {
  auto operand = Evaluate(*node.operand, scope);
  if (!operand.ok() || !operand->known()) return operand;
  if (node.op == "-") {
    auto number = NumberOf(*operand, node.op, at);
    if (!number.ok()) return number.status();
    return Datum{Value(-*number), operand->marks};
  }
  const auto flag = ToBool(operand->value);
  if (!flag) return ErrorAt(at, std::string("'!' needs a bool, and got ") + KindName(operand->value));
  return Datum{Value(!*flag), operand->marks};
}

Result<bool> Evaluator::EvaluateBool(const Expression& expression, const Scope& scope, Marks* marks, bool* known) {
  auto value = Evaluate(expression, scope);
  if (!value.ok()) return value.status();
  marks->Add(value->marks);
  *known = value->known();
  if (!*known) return false;
  const auto flag = ToBool(value->value);
  if (flag) return *flag;
  return ErrorAt(expression.at, std::string("expected a bool, and got ") + KindName(value->value));
}

// The right side is only asked if the left side does not decide.
Result<Datum> Evaluator::EvaluateLogical(const Binary& node, Position, const Scope& scope) {
  Datum result;
  bool known = false;
  const bool deciding = node.op == "||";
  auto left = EvaluateBool(*node.left, scope, &result.marks, &known);
  if (!left.ok()) return left.status();
  const bool left_known = known;
  if (left_known && *left == deciding) {
    result.value = Value(deciding);
    return result;
  }
  auto right = EvaluateBool(*node.right, scope, &result.marks, &known);
  if (!right.ok()) return right.status();
  if (known && (left_known || *right == deciding)) {
    result.value = Value(*right);
    return result;
  }
  return Unknown(std::move(result.marks));
}

Result<Datum> Evaluator::EvaluateBinary(const Binary& node, Position at, const Scope& scope) {
  if (node.op == "&&" || node.op == "||") return EvaluateLogical(node, at, scope);
  auto left = Evaluate(*node.left, scope);
  if (!left.ok()) return left.status();
  auto right = Evaluate(*node.right, scope);
  if (!right.ok()) return right.status();
  Datum result;
  result.marks = left->marks;
  result.marks.Add(right->marks);
  if (node.op == "==" || node.op == "!=") {
    const Value a = OpenDeep(left->value, &result.marks), b = OpenDeep(right->value, &result.marks);
    if (ContainsUnknowns(a) || ContainsUnknowns(b)) return Unknown(std::move(result.marks));
    result.value = Value(DeepEqual(a, b) == (node.op == "=="));
    return result;
  }
  if (!left->known() || !right->known()) return Unknown(std::move(result.marks));
  auto a = NumberOf(*left, node.op, at);
  if (!a.ok()) return a.status();
  auto b = NumberOf(*right, node.op, at);
  if (!b.ok()) return b.status();
  switch (node.op[0]) {
    case '+':
      result.value = Value(*a + *b);
      break;
    case '-':
      result.value = Value(*a - *b);
      break;
    case '*':
      result.value = Value(*a * *b);
      break;
    case '<':
      result.value = Value(node.op == "<=" ? *a <= *b : *a < *b);
      break;
    case '>':
      result.value = Value(node.op == ">=" ? *a >= *b : *a > *b);
      break;
    default:
      if (*b == 0) return ErrorAt(at, "division by zero");
      result.value = Value(node.op == "/" ? *a / *b : std::fmod(*a, *b));
  }
  if (result.value.is_number() && !std::isfinite(result.value.as_number())) {
    return ErrorAt(at, "the result of '" + node.op + "' is too large");
  }
  return result;
}

// Only the value that is chosen is computed.
Result<Datum> Evaluator::EvaluateConditional(const Conditional& node, Position, const Scope& scope) {
  Marks marks;
  bool known = false;
  auto condition = EvaluateBool(*node.condition, scope, &marks, &known);
  if (!condition.ok()) return condition.status();
  if (!known) return Unknown(std::move(marks));
  auto chosen = Evaluate(*condition ? *node.then : *node.otherwise, scope);
  if (chosen.ok()) chosen->marks.Add(marks);
  return chosen;
}

}  // namespace kingpost::pcl
