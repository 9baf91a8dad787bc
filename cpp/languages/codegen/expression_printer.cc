// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/expression_printer.h"

#include "base/status.h"
#include "languages/pcl/datum.h"

namespace kingpost::codegen {

std::string PlainAttribute(const std::string& name, bool) { return IsIdentifier(name) ? "." + name : ""; }

std::string ExpressionPrinter::Raw(const Expression& expression, int depth) const {
  if (const auto* literal = expression.as<Literal>()) return Constant(literal->value);
  if (const auto* list = expression.as<TupleLiteral>()) {
    std::vector<std::string> elements;
    for (const ExpressionPtr& element : list->elements) elements.push_back(Text(*element, depth + 1));
    return Bracketed("[", elements, "]", depth);
  }
  if (const auto* object = expression.as<ObjectLiteral>()) return Fields(FieldsOf(*object), object->typed, depth);
  if (const auto* resource = expression.as<ResourceRef>()) return variables_.resources.at(resource->key);
  if (const auto* property = expression.as<PropertyRef>()) return TextOf(*property);
  if (const auto* setting = expression.as<SettingRef>()) return TextOf(*setting);
  if (const auto* variable = expression.as<Variable>()) return variables_.variables.at(variable->name);
  if (const auto* text = expression.as<Template>()) return TextOf(*text, depth);
  if (const auto* call = expression.as<Call>()) return TextOf(*call, depth);
  const auto step = pcl::LastStepOf(expression);
  KP_ASSERT(step, "programs in YAML and recorded values have no other expressions");
  return TextOf(*step, depth);
}

std::string ExpressionPrinter::Constant(const Value& value) const {
  if (value.is_string()) return notation_.text(value.as_string());
  if (value.is_bool()) return value.as_bool() ? notation_.yes : notation_.no;
  return value.is_number() ? pcl::NumberText(value.as_number()) : notation_.nothing;
}

std::string ExpressionPrinter::Step(const Value& key, bool named) const {
  const std::string attribute = key.is_string() ? notation_.attribute(key.as_string(), named) : "";
  return attribute.empty() ? "[" + Constant(key) + "]" : attribute;
}

std::string ExpressionPrinter::Fields(const std::vector<NamedExpression>& fields, bool typed, int depth,
                                      size_t columns_before) const {
  std::vector<std::string> entries;
  for (const NamedExpression& field : fields) {
    entries.push_back(notation_.key(field.name, typed) + Text(*field.value, depth + 1));
  }
  return Bracketed("{", entries, "}", depth, notation_.spaced, columns_before);
}

std::string ExpressionPrinter::Interpolated(const Template& joined, std::string (*escaped)(const std::string& text),
                                            int depth) const {
  std::string text;
  for (const ExpressionPtr& part : joined.parts) {
    const std::string* literal = LiteralText(part);
    text += literal ? escaped(*literal) : "${" + Text(*part, depth) + "}";
  }
  return text;
}

std::string ExpressionPrinter::TextOf(const PropertyRef& reference) const {
  return variables_.resources.at(reference.key) + Step(Value(reference.property), true);
}

std::string ExpressionPrinter::TextOf(const PathStep& step, int depth) const {
  return Raw(*step.whole, depth) + Step(step.key, step.named);
}

}  // namespace kingpost::codegen
