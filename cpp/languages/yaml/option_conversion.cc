// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/option_conversion.h"

#include <algorithm>

#include "languages/yaml/order.h"

namespace kingpost::yaml {

namespace {

// Of a text, or of an object of fields; a URN stands for itself.
pcl::ExpressionPtr ConvertAlias(const pcl::ExpressionPtr& alias, ExpressionConverter* expressions) {
  const auto* fields = alias->as<pcl::ObjectLiteral>();
  if (!fields) return expressions->Convert(alias);
  pcl::ObjectLiteral object;
  for (const auto& [key, value] : fields->items) {
    const std::string& name = *LiteralText(key);
    if (name == "urn") return expressions->Convert(value);
    if (name != "noParent") {
      object.Add(name, expressions->ConvertResources(value));
      continue;
    }
    const auto* literal = value->as<pcl::Literal>();
    const bool none = literal && literal->value.is_bool() && literal->value.as_bool();
    if (none) object.Add("parent", codegen::MakeCall(codegen::kNoParent));
  }
  return pcl::Make(std::move(object));
}

pcl::ExpressionPtr ConvertOption(const NamedExpression& option, ExpressionConverter* expressions) {
  if (IsComputedOption(option.name)) return expressions->ConvertResources(option.value);
  if (option.name == "aliases") {
    pcl::TupleLiteral list;
    for (const pcl::ExpressionPtr& alias : option.value->as<pcl::TupleLiteral>()->elements) {
      list.elements.push_back(ConvertAlias(alias, expressions));
    }
    return pcl::Make(std::move(list));
  }
  auto converted = expressions->Convert(option.value);
  if (option.name != "customTimeouts") return converted;
  pcl::ObjectLiteral timeouts = *converted->as<pcl::ObjectLiteral>();
  timeouts.typed = true;
  return pcl::Make(std::move(timeouts));
}

}  // namespace

std::vector<NamedExpression> ConvertOptions(const Body& body, const ResourceDecl& resource,
                                            ExpressionConverter* expressions) {
  std::vector<NamedExpression> options;
  for (const NamedExpression& option : resource.options) {
    options.push_back({option.name, ConvertOption(option, expressions)});
  }
  if (const ResourceDecl* implied = ImpliedProviderOf(body, resource)) {
    const auto spelled = std::ranges::find_if_not(options, IsComputedOption, &NamedExpression::name);
    options.insert(spelled, {"provider", pcl::Make(pcl::ResourceRef{implied->key})});
  }
  return options;
}

}  // namespace kingpost::yaml
