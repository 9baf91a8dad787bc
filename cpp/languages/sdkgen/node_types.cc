// SPDX-License-Identifier: Apache-2.0
// Types as TypeScript has them, and constants.
#include "base/encoding.h"
#include "languages/sdkgen/node_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

using Kind = schema::Type::Kind;

NodeType NodeType::AnyOf(const std::vector<NodeType>& types) {
  NodeType all;
  for (const NodeType& type : types) {
    all.alternatives_.insert(all.alternatives_.end(), type.alternatives_.begin(), type.alternatives_.end());
  }
  return all;
}

std::string NodeType::text() const { return Joined(alternatives_, " | "); }
std::string NodeType::within() const { return alternatives_.size() == 1 ? text() : "(" + text() + ")"; }

bool IsNodeText(const schema::Type& type) {
  if (type.kind == Kind::kToken) return type.default_type && IsNodeText(*type.default_type);
  if (type.kind == Kind::kEnum) return type.enumeration->element == Kind::kString;
  // An enumeration that others may be added to.
  for (const schema::Type* element : type.elements) {
    if (element->enumeration) return element->enumeration->element == Kind::kString;
  }
  return type.kind == Kind::kString;
}

std::string NodeConstant(const schema::Constant& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return Quote(*text);
  if (const auto* number = std::get_if<double>(&value)) return NumberText(*number);
  if (const auto* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  return std::get<bool>(value) ? "true" : "false";
}

std::string NodeDefault(const schema::DefaultValue& value, const schema::Type& type) {
  const std::string constant = value.value ? NodeConstant(*value.value) : "";
  if (value.environment.empty()) return constant;
  std::vector<std::string> names;
  for (const std::string& name : value.environment) names.push_back(Quote(name));
  const bool number = type.kind == Kind::kInteger || type.kind == Kind::kNumber;
  const std::string kind = type.kind == Kind::kBool ? "Boolean" : number ? "Number" : "";
  const std::string cast = kind.empty() && type.kind != Kind::kString ? "<any>" : "";
  const std::string read = cast + "utilities.getEnv" + kind + "(" + Joined(names, ", ") + ")";
  return constant.empty() ? read : "(" + read + " || " + constant + ")";
}

NodeType NodeGenerator::BareType(const schema::Type& type, bool takes_outputs, bool input, bool in_input,
                                 const schema::Constant* constant) const {
  switch (type.kind) {
    case Kind::kBool:
      return std::string("boolean");
    case Kind::kInteger:
    case Kind::kNumber:
      return std::string("number");
    case Kind::kString:
      return constant ? NodeConstant(*constant) : std::string("string");
    case Kind::kArchive:
      return std::string("pulumi.asset.Archive");
    case Kind::kAsset:
      return NodeType::AnyOf({std::string("pulumi.asset.Asset"), std::string("pulumi.asset.Archive")});
    case Kind::kJson:
    case Kind::kAny:
      return std::string("any");
    case Kind::kArray:
      return TypeOf(*type.element, takes_outputs, input, constant).within() + "[]";
    case Kind::kMap:
      return "{[key: string]: " + TypeOf(*type.element, takes_outputs, input, constant).text() + "}";
    case Kind::kObject:
      return ObjectRef({type.object, takes_outputs}, input);
    case Kind::kEnum:
      return EnumRef(*type.enumeration);
    case Kind::kResource:
      return ResourceRef(type);
    case Kind::kToken:
      return NodeClassName(type.token);
    case Kind::kUnion:
      break;
  }
  if (!input && node_.no_output_unions) {
    return type.default_type ? TypeOf(*type.default_type, takes_outputs, input, constant)
                             : NodeType(std::string("any"));
  }
  std::vector<NodeType> types;
  for (const schema::Type* element : type.elements) {
    types.push_back(in_input ? BareType(*element, takes_outputs, input, true, constant)
                             : TypeOf(*element, takes_outputs, input, constant));
  }
  return NodeType::AnyOf(types);
}

NodeType NodeGenerator::TypeOf(const schema::Type& type, bool takes_outputs, bool input,
                               const schema::Constant* constant) const {
  const bool is_input = takes_outputs && !type.plain;
  const NodeType bare = BareType(type, takes_outputs, input, is_input, constant);
  return !is_input || bare.text() == "any" ? bare : NodeType("pulumi.Input<" + bare.text() + ">");
}

// An input may also turn out to be undefined; of anything else the "?" says that it may be missing.
std::string NodeGenerator::PropertyType(const schema::Property& property, bool takes_outputs, bool input) const {
  const schema::Constant* constant = property.constant ? &*property.constant : nullptr;
  const bool is_input = takes_outputs && !property.type->plain;
  if (property.required || !is_input) return TypeOf(*property.type, takes_outputs, input, constant).text();
  const NodeType bare = BareType(*property.type, takes_outputs, input, true, constant);
  const std::string text = bare.OrUndefined().text();
  return bare.text() == "any" ? text : "pulumi.Input<" + text + ">";
}

}  // namespace kingpost::sdkgen
