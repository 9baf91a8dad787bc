// SPDX-License-Identifier: Apache-2.0
// Types as TypeScript has them, constants, and defaults.
#include <algorithm>

#include "languages/sdkgen/node_scope.h"

namespace kingpost::sdkgen::node {

using Kind = Type::Kind;

std::string ConstantOf(const schema::Constant& value) {
  const std::string text = ConstantText(value);
  return std::holds_alternative<std::string>(value) ? Quote(text) : text;
}

std::string DefaultOf(const schema::DefaultValue& value, const Type& type) {
  const std::string constant = value.value ? ConstantOf(*value.value) : "";
  if (value.environment.empty()) return constant;
  const bool number = type.kind == Kind::kInteger || type.kind == Kind::kNumber;
  const std::string kind = type.kind == Kind::kBool ? "Boolean" : number ? "Number" : "";
  const std::string cast = kind.empty() && type.kind != Kind::kString ? "<any>" : "";
  const std::string read = cast + "utilities.getEnv" + kind + "(" + Joined(value.environment, ", ", Quote) + ")";
  return constant.empty() ? read : "(" + read + " || " + constant + ")";
}

TypeText Scope::BareType(const Type& type, const Use& use, bool in_input) const {
  switch (type.kind) {
    case Kind::kBool:
      return {"boolean"};
    case Kind::kInteger:
    case Kind::kNumber:
      return {"number"};
    case Kind::kString:
      return {use.constant ? ConstantOf(*use.constant) : "string"};
    case Kind::kArchive:
      return {"pulumi.asset.Archive"};
    case Kind::kAsset:
      return {"pulumi.asset.Asset | pulumi.asset.Archive", true};
    case Kind::kJson:
    case Kind::kAny:
      return {"any"};
    case Kind::kArray: {
      const TypeText element = TypeOf(*type.element, use);
      return {element.has_alternatives ? "(" + element.text + ")[]" : element.text + "[]"};
    }
    case Kind::kMap:
      return {"{[key: string]: " + TypeOf(*type.element, use).text + "}"};
    case Kind::kObject:
      return {ObjectRef({type.object, use.takes_outputs}, use.input)};
    case Kind::kEnum:
      return {EnumRef(*type.enumeration)};
    case Kind::kResource:
      return {ResourceRef(type)};
    case Kind::kToken:
      return {ClassName(type.token)};
    case Kind::kUnion:
      break;
  }
  if (!use.input && options.no_output_unions) {
    return type.default_type ? TypeOf(*type.default_type, use) : TypeText{"any"};
  }
  TypeText all{"", type.elements.size() > 1};
  for (const Type* element : type.elements) {
    const TypeText one = in_input ? BareType(*element, use, true) : TypeOf(*element, use);
    all.text += (all.text.empty() ? "" : " | ") + one.text;
    all.has_alternatives = all.has_alternatives || one.has_alternatives;
  }
  return all;
}

TypeText Scope::TypeOf(const Type& type, const Use& use) const {
  const bool is_input = use.takes_outputs && !type.plain;
  const TypeText bare = BareType(type, use, is_input);
  return !is_input || bare.text == "any" ? bare : TypeText{"pulumi.Input<" + bare.text + ">"};
}

// An input may also turn out to be undefined; of anything else the "?" says that it may be missing.
std::string Scope::PropertyType(const Property& property, Use use) const {
  use.constant = property.constant ? &*property.constant : nullptr;
  if (property.required || !use.takes_outputs || property.type->plain) return TypeOf(*property.type, use).text;
  const std::string bare = BareType(*property.type, use, true).text, text = bare + " | undefined";
  return bare == "any" ? text : "pulumi.Input<" + text + ">";
}

namespace {

bool NeedsDefaults(const Type& type, std::set<const ObjectType*>* seen) {
  if (!type.object || !seen->insert(type.object).second) return false;
  return std::any_of(type.object->properties.begin(), type.object->properties.end(),
                     [&](const Property& one) { return one.default_value || NeedsDefaults(*one.type, seen); });
}

}  // namespace

std::string Scope::DefaultsFunctionFor(const Type& type, bool takes_outputs, bool input) const {
  std::set<const ObjectType*> seen;
  return NeedsDefaults(type, &seen) ? DefaultsName(ObjectRef({type.object, takes_outputs}, input)) : "";
}

std::string DefaultsName(const std::string& type) {
  const size_t begin = type.rfind('.') + 1;
  return type.substr(0, begin) + Camel(type.substr(begin)) + "ProvideDefaults";
}

std::string FilledIn(const std::string& function, const std::string& value) {
  return value + " ? " + function + "(" + value + ") : undefined";
}

std::string FilledInLater(const std::string& function, const std::string& value, bool required) {
  return "pulumi.output(" + value + ").apply(" +
         (required ? function : "v => v === undefined ? undefined : " + function + "(v)") + ")";
}

}  // namespace kingpost::sdkgen::node
