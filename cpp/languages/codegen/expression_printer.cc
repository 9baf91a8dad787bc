// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/expression_printer.h"

#include "base/status.h"

namespace kingpost::codegen {

std::string ExpressionPrinter::Raw(const Expression& expression, int depth) const {
  if (const auto* literal = expression.as<Literal>()) return notation_.literal(literal->value);
  if (const auto* list = expression.as<TupleLiteral>()) {
    std::vector<std::string> elements;
    for (const ExpressionPtr& element : list->elements) elements.push_back(Text(*element, depth + 1));
    return Bracketed({"[", "]"}, elements, depth, false);
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

std::string ExpressionPrinter::Fields(const std::vector<NamedExpression>& fields, bool typed, int depth,
                                      size_t columns_before) const {
  std::vector<std::string> entries;
  for (const NamedExpression& field : fields) {
    entries.push_back(notation_.key(field.name, typed) + Text(*field.value, depth + 1));
  }
  return Bracketed({"{", "}"}, entries, depth, notation_.spaced, columns_before);
}

std::string ExpressionPrinter::TextOf(const PropertyRef& reference) const {
  return variables_.resources.at(reference.key) + notation_.step(Value(reference.property), true);
}

std::string ExpressionPrinter::TextOf(const PathStep& step, int depth) const {
  return Raw(*step.whole, depth) + notation_.step(step.key, step.named);
}

}  // namespace kingpost::codegen
