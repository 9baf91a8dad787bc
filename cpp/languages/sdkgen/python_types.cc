// SPDX-License-Identifier: Apache-2.0
// Types as annotations.
#include <algorithm>

#include "languages/schema/wire_form.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

using Kind = schema::Type::Kind;

bool IsTextType(const schema::Type& type) {
  if (type.kind == Kind::kToken) return type.default_type && IsTextType(*type.default_type);
  if (type.kind == Kind::kEnum) return type.enumeration->element == Kind::kString;
  return type.kind == Kind::kString;
}

namespace {

std::string BuiltinText(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return "_builtins.bool";
    case Kind::kInteger:
      return "_builtins.int";
    case Kind::kNumber:
      return "_builtins.float";
    case Kind::kString:
      return "_builtins.str";
    case Kind::kArchive:
      return "pulumi.Archive";
    case Kind::kAsset:
      return "Union[pulumi.Asset, pulumi.Archive]";
    default:
      return "Any";
  }
}

std::string RuntimeName(Kind kind) {
  const std::string text = BuiltinText(kind);
  if (text == "Any") return "dict";
  return text.starts_with("_builtins.") ? text.substr(10) : text;
}

}  // namespace

std::string PythonGenerator::ObjectText(const Module& in, const schema::Type& type, const PythonUse& use) const {
  const ShapedObject object{type.object, use.takes_outputs};
  if (use.dict) return ObjectRef(in, object, use.input, true);
  const std::string name = ObjectRef(in, object, use.input, false);
  if (!use.accepts_mapping) return name;
  if (!IsOwn(type.object->package) || !python_.typed_dicts() || !use.input) return "pulumi.InputType[" + name + "]";
  std::string text = "Union[" + name + ", " + ObjectRef(in, object, use.input, true);
  if (AdmitsOutput(*type.object)) text += ", " + ObjectRef(in, {type.object, false}, /*input=*/false, false);
  return text + "]";
}

// An output of one resource may go into another as it is: neither a class of inputs nor a dictionary would take it.
bool PythonGenerator::AdmitsOutput(const schema::ObjectType& object) const {
  return python_.typed_dicts() && IsOwn(object.package) && modules_.UsesOf({&object, false}).output;
}

std::string PythonGenerator::UnionText(const Module& in, const schema::Type& type, const PythonUse& use,
                                       bool in_input) const {
  if (!use.input) {
    // An enumeration that others may be added to: outputs are what it is made of.
    for (const schema::Type* element : type.elements) {
      if (element->enumeration) return BuiltinText(element->enumeration->element);
    }
    // The SDK finds out of which type a value is, where that can be told.
    if (!schema::IsDistinguishableOnWire(type)) {
      return type.default_type ? TypeText(in, *type.default_type, use) : "Any";
    }
  }
  std::vector<std::string> texts;
  for (const schema::Type* element : type.elements) {
    const std::string text = in_input ? BareText(in, *element, use, true) : TypeText(in, *element, use);
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return texts.size() == 1 ? texts[0] : "Union[" + Joined(texts, ", ") + "]";
}

// Without the pulumi.Input around it.
std::string PythonGenerator::BareText(const Module& in, const schema::Type& type, const PythonUse& use,
                                      bool in_input) const {
  switch (type.kind) {
    case Kind::kArray:
      return "Sequence[" + TypeText(in, *type.element, use) + "]";
    case Kind::kMap:
      return "Mapping[str, " + TypeText(in, *type.element, use) + "]";
    case Kind::kUnion:
      return UnionText(in, type, use, in_input);
    case Kind::kObject:
      return ObjectText(in, type, use);
    case Kind::kEnum:
      return EnumRef(in, *type.enumeration);
    case Kind::kResource:
      return "'" + ResourceRef(in, type) + "'";
    case Kind::kToken:
      return type.default_type ? TypeText(in, *type.default_type, use) : "Any";
    default:
      break;
  }
  // No float is a literal.
  if (use.constant && type.kind <= Kind::kString && type.kind != Kind::kNumber) {
    return "Literal[" + PythonConstant(*use.constant) + "]";
  }
  return BuiltinText(type.kind);
}

std::string PythonGenerator::TypeText(const Module& in, const schema::Type& type, const PythonUse& use) const {
  const bool is_input = use.takes_outputs && !type.plain;
  const std::string bare = BareText(in, type, use, is_input);
  return is_input && bare != "Any" ? "pulumi.Input[" + bare + "]" : bare;
}

std::string PythonGenerator::PropertyText(const Module& in, const schema::Property& property, bool optional,
                                          PythonUse use) const {
  if (property.constant) use.constant = &*property.constant;
  const std::string text = TypeText(in, *property.type, use);
  if (!optional) return text;
  const bool is_input = text.starts_with("pulumi.Input[");
  // An optional value may also be None.
  const std::string maybe =
      is_input ? "pulumi.Input[Optional[" + text.substr(13, text.size() - 14) + "]]" : "Optional[" + text + "]";
  if (!use.dict) return maybe;
  return "NotRequired[" + (is_input ? maybe : text) + "]";
}

std::string PythonGenerator::RuntimeType(const Module& in, const schema::Type& type) const {
  switch (type.kind) {
    case Kind::kArray:
      return "list";
    case Kind::kMap:
    case Kind::kObject:
    case Kind::kUnion:
      return "dict";
    case Kind::kEnum:
      return RuntimeName(type.enumeration->element);
    case Kind::kResource:
      return ResourceRef(in, type);
    case Kind::kToken:
      return type.default_type ? RuntimeType(in, *type.default_type) : "dict";
    default:
      return RuntimeName(type.kind);
  }
}

}  // namespace kingpost::sdkgen
