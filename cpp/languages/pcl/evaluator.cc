// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/evaluator.h"

#include <charconv>
#include <cmath>
#include <type_traits>

namespace kingpost::pcl {

namespace {

constexpr double kExact = 9007199254740992;  // 2^53: below it each whole number is a double

// People and other programs read account numbers and sizes, so exact numbers have no exponent. Larger numbers are
// written as Go does, because their rounded digits would look exact otherwise.
std::string NumberInTemplate(double number) {
  if (std::abs(number) < kExact) return pcl::NumberText(number);
  char text[64];
  const auto end = std::to_chars(text, text + sizeof(text), number, std::chars_format::scientific);
  return std::string(text, end.ptr);
}

// A value in a text of YAML: 1000000, [a b], map[a:1], <nil>, as Go writes all but numbers; nullopt for a resource, an
// asset or an archive.
std::optional<std::string> TextInYaml(const Value& wrapped) {
  const Value value = Open(wrapped).value;
  if (value.is_null()) return "<nil>";
  if (value.is_number()) return NumberInTemplate(value.as_number());
  if (!value.is_array() && !value.is_object()) return ToText(value);
  if (Member(value, "__type")) return std::nullopt;  // a resource
  std::string text;
  const auto add = [&text](const std::string& key, const Value& element) {
    const auto part = TextInYaml(element);
    if (part) text += (text.empty() ? "" : " ") + key + *part;
    return part.has_value();
  };
  if (value.is_object()) {
    for (const auto& [key, element] : value.as_object()) {
      if (!add(key + ":", element)) return std::nullopt;
    }
    return "map[" + text + "]";
  }
  for (const Value& element : value.as_array()) {
    if (!add("", element)) return std::nullopt;
  }
  return "[" + text + "]";
}

}  // namespace

Status UndefinedVariable(Position at, const std::string& name) {
  return ErrorAt(
      at, "undefined variable " + name + ": a snippet knows the names of its references, and 'range' if it has one");
}

Result<Datum> Evaluator::Evaluate(const Expression& expression, const Scope& scope) {
  status_ = Status();
  Datum datum = Compute(expression, scope);
  if (failed()) return status_;
  return datum;
}

Datum Evaluator::Fail(Status status) {
  if (!failed()) status_ = std::move(status);
  return Unknown({});
}

void Evaluator::Charge(uint64_t bytes, uint64_t* size, Position at) {
  if (failed()) return;
  *size += bytes;
  spent_ += bytes;
  if (*size > kValueSizeMax) {
    Fail(at, kValueTooLarge);
  } else if (spent_before_ + spent_ > kProgramSizeMax) {
    Fail(at, kProgramTooLarge);
  }
}

Datum Evaluator::Compute(const Expression& expression, const Scope& scope) {
  if (failed()) return Unknown({});
  const auto compute = [&]<class Node>(const Node& node) -> Datum {
    if constexpr (std::is_same_v<Node, ResourceRef> || std::is_same_v<Node, PropertyRef> ||
                  std::is_same_v<Node, SettingRef>) {
      KP_ASSERT(false, "a tree that is written in another language is not evaluated");
      return {};
    } else {
      return Of(node, expression.at, scope);
    }
  };
  return std::visit(compute, expression.node);
}

Datum Evaluator::Of(const Literal& node, Position, const Scope&) { return {node.value, {}}; }

Datum Evaluator::Of(const Parentheses& node, Position, const Scope& scope) { return Compute(*node.inner, scope); }

Datum Evaluator::Of(const Variable& node, Position at, const Scope& scope) {
  const Scope::Entry* found = scope.Find(node.name);
  return found ? found->datum : Fail(UndefinedVariable(at, node.name));
}

Datum Evaluator::Of(const Template& node, Position at, const Scope& scope) {
  uint64_t size = 0;
  Datum result{Value(""), {}};
  std::string text;
  for (const ExpressionPtr& part : node.parts) {
    const Datum datum = Compute(*part, scope);
    result.marks.Add(datum.marks);
    if (!datum.known()) {
      result.value = Value(Computed());
      continue;
    }
    const auto piece = around_.yaml() ? TextInYaml(datum.value) : ToText(datum.value);
    if (!piece) {
      return Fail(part->at, std::string("a template can hold texts, numbers and bools, not ") + KindName(datum.value));
    }
    Charge(piece->size(), &size, at);
    text += *piece;
  }
  if (result.known()) result.value = Value(std::move(text));
  return result;
}

double Evaluator::NumberOf(const Datum& datum, const std::string& op, Position at) {
  const auto number = ToNumber(datum.value);
  if (!number) Fail(at, "'" + op + "' needs numbers, and got " + KindName(datum.value));
  return number.value_or(0);
}

Datum Evaluator::Of(const Unary& node, Position at, const Scope& scope) {
  Datum operand = Compute(*node.operand, scope);
  if (!operand.known()) return operand;
  if (node.op == "-") return {Value(-NumberOf(operand, node.op, at)), std::move(operand.marks)};
  const auto flag = ToBool(operand.value);
  if (!flag) return Fail(at, std::string("'!' needs a bool, and got ") + KindName(operand.value));
  return {Value(!*flag), std::move(operand.marks)};
}

std::optional<bool> Evaluator::Test(const Expression& expression, const Scope& scope, Marks* marks) {
  const Datum datum = Compute(expression, scope);
  marks->Add(datum.marks);
  if (!datum.known()) return std::nullopt;
  const auto flag = ToBool(datum.value);
  if (!flag) Fail(expression.at, std::string("expected a bool, and got ") + KindName(datum.value));
  return flag;
}

// The right side is only asked if the left side does not decide.
Datum Evaluator::OfLogical(const Binary& node, const Scope& scope) {
  Marks marks;
  const bool deciding = node.op == "||";
  const auto left = Test(*node.left, scope, &marks);
  if (left == deciding) return {Value(deciding), std::move(marks)};
  const auto right = Test(*node.right, scope, &marks);
  if (right == deciding || (left && right)) return {Value(*right), std::move(marks)};
  return Unknown(std::move(marks));
}

Datum Evaluator::Of(const Binary& node, Position at, const Scope& scope) {
  if (node.op == "&&" || node.op == "||") return OfLogical(node, scope);
  const Datum left = Compute(*node.left, scope);
  const Datum right = Compute(*node.right, scope);
  Datum result{Value(), left.marks};
  result.marks.Add(right.marks);
  if (node.op == "==" || node.op == "!=") {
    const Value a = OpenDeep(left.value, &result.marks), b = OpenDeep(right.value, &result.marks);
    if (ContainsUnknowns(a) || ContainsUnknowns(b)) return Unknown(std::move(result.marks));
    result.value = Value(DeepEqual(a, b) == (node.op == "=="));
    return result;
  }
  if (!left.known() || !right.known()) return Unknown(std::move(result.marks));
  const double a = NumberOf(left, node.op, at);
  const double b = NumberOf(right, node.op, at);
  switch (node.op[0]) {
    case '+':
      result.value = Value(a + b);
      break;
    case '-':
      result.value = Value(a - b);
      break;
    case '*':
      result.value = Value(a * b);
      break;
    case '<':
      result.value = Value(node.op == "<=" ? a <= b : a < b);
      break;
    case '>':
      result.value = Value(node.op == ">=" ? a >= b : a > b);
      break;
    default:
      if (b == 0) return Fail(at, "division by zero");
      result.value = Value(node.op == "/" ? a / b : std::fmod(a, b));
  }
  if (result.value.is_number() && !std::isfinite(result.value.as_number())) {
    return Fail(at, "the result of '" + node.op + "' is too large");
  }
  return result;
}

// Only the value that is chosen is computed.
Datum Evaluator::Of(const Conditional& node, Position, const Scope& scope) {
  Marks marks;
  const auto condition = Test(*node.condition, scope, &marks);
  if (!condition) return Unknown(std::move(marks));
  Datum chosen = Compute(*condition ? *node.then : *node.otherwise, scope);
  chosen.marks.Add(marks);
  return chosen;
}

Task<Status> Settle(const EvaluationContext& around, Compute compute, Perform perform) {
  EffectLog effects;
  for (;;) {
    effects.Rewind();
    Evaluator evaluator(around, &effects);
    Status computed = compute(&evaluator);
    if (!effects.wanted()) {
      *around.spent += evaluator.spent();
      co_return computed;
    }
    Result<EffectAnswer> answer = co_await perform(*effects.wanted());
    effects.Answer(std::move(answer));
  }
}

}  // namespace kingpost::pcl
