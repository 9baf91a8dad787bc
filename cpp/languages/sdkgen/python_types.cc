// SPDX-License-Identifier: Apache-2.0
// Types as annotations, constants and defaults as expressions, and docstrings.
#include <algorithm>

#include "languages/sdkgen/docs.h"
#include "languages/sdkgen/python_scope.h"

namespace kingpost::sdkgen::python {

using Kind = Type::Kind;

std::string BuiltinName(Kind kind) {
  if (kind == Kind::kBool) return "bool";
  if (kind == Kind::kInteger) return "int";
  if (kind == Kind::kNumber) return "float";
  return kind == Kind::kString ? "str" : "";
}

namespace {

std::string BuiltinText(Kind kind) {
  if (const std::string name = BuiltinName(kind); !name.empty()) return "_builtins." + name;
  if (kind == Kind::kArchive) return "pulumi.Archive";
  return kind == Kind::kAsset ? "Union[pulumi.Asset, pulumi.Archive]" : "Any";
}

std::string RuntimeName(Kind kind) {
  if (const std::string name = BuiltinName(kind); !name.empty()) return name;
  return kind == Kind::kArchive || kind == Kind::kAsset ? BuiltinText(kind) : "dict";
}

std::string ObjectText(const Scope& in, const Type& type, const Use& use) {
  const std::string name = in.ObjectRef({type.object, use.takes_outputs}, use.input, use.dict);
  if (use.dict || !use.accepts_mapping) return name;
  if (!in.IsOwn(type.object->package) || !in.options.typed_dicts() || !use.input) {
    return "pulumi.InputType[" + name + "]";
  }
  std::string text = "Union[" + name + ", " + in.ObjectRef({type.object, use.takes_outputs}, true, true);
  if (in.AdmitsOutput(*type.object)) text += ", " + in.ObjectRef({type.object, false}, /*input=*/false, false);
  return text + "]";
}

std::string UnionText(const Scope& in, const Type& type, const Use& use, bool in_input) {
  if (!use.input) {
    // An enumeration that others may be added to: outputs are what it is made of.
    for (const Type* element : type.elements) {
      if (element->enumeration) return BuiltinText(element->enumeration->element);
    }
    // The SDK finds out of which type a value is, where that can be told.
    if (!schema::IsDistinguishableOnWire(type)) {
      return type.default_type ? in.TypeText(*type.default_type, use) : "Any";
    }
  }
  std::vector<std::string> texts;
  for (const Type* element : type.elements) {
    const std::string text = in_input ? in.BareText(*element, use, true) : in.TypeText(*element, use);
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return texts.size() == 1 ? texts[0] : "Union[" + Joined(texts, ", ") + "]";
}

}  // namespace

// An output of one resource may go into another as it is: neither a class of inputs nor a dictionary would take it.
bool Scope::AdmitsOutput(const ObjectType& object) const {
  return options.typed_dicts() && IsOwn(object.package) && modules.UsesOf({&object, false}).output;
}

// Without the pulumi.Input around it.
std::string Scope::BareText(const Type& type, const Use& use, bool in_input) const {
  switch (type.kind) {
    case Kind::kArray:
      return "Sequence[" + TypeText(*type.element, use) + "]";
    case Kind::kMap:
      return "Mapping[str, " + TypeText(*type.element, use) + "]";
    case Kind::kUnion:
      return UnionText(*this, type, use, in_input);
    case Kind::kObject:
      return ObjectText(*this, type, use);
    case Kind::kEnum:
      return EnumRef(*type.enumeration);
    case Kind::kResource:
      return "'" + ResourceRef(type) + "'";
    case Kind::kToken:
      return type.default_type ? TypeText(*type.default_type, use) : "Any";
    default:
      // No float is a literal.
      const bool literal = use.constant && type.kind <= Kind::kString && type.kind != Kind::kNumber;
      return literal ? "Literal[" + ConstantOf(*use.constant) + "]" : BuiltinText(type.kind);
  }
}

std::string Scope::TypeText(const Type& type, const Use& use) const {
  const bool is_input = use.takes_outputs && !type.plain;
  const std::string bare = BareText(type, use, is_input);
  return is_input && bare != "Any" ? "pulumi.Input[" + bare + "]" : bare;
}

std::string Scope::PropertyText(const Property& property, bool optional, Use use) const {
  if (property.constant) use.constant = &*property.constant;
  const std::string text = TypeText(*property.type, use);
  if (!optional) return text;
  const bool is_input = text.starts_with("pulumi.Input[");
  // An optional value may also be None.
  const std::string maybe =
      is_input ? "pulumi.Input[Optional[" + text.substr(13, text.size() - 14) + "]]" : "Optional[" + text + "]";
  if (!use.dict) return maybe;
  return "NotRequired[" + (is_input ? maybe : text) + "]";
}

std::string Scope::RuntimeType(const Type& type) const {
  if (type.kind == Kind::kArray) return "list";
  if (type.kind == Kind::kEnum) return RuntimeName(type.enumeration->element);
  if (type.kind == Kind::kResource) return ResourceRef(type);
  if (type.kind == Kind::kToken && type.default_type) return RuntimeType(*type.default_type);
  return RuntimeName(type.kind);
}

namespace {

std::string PythonQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || c == '\'') {
      quoted += std::string("\\") + c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (byte < ' ' || byte == 0x7f) {
      quoted += "\\x" + HexEncode(std::string_view(&c, 1));
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

std::string ConstantOf(const schema::Constant& value) {
  const std::string text = ConstantText(value);
  if (std::holds_alternative<std::string>(value)) return PythonQuoted(text);
  return std::holds_alternative<bool>(value) ? UpperFirst(text) : text;
}

std::string ReaderSuffix(Kind kind) {
  const std::string name = BuiltinName(kind);
  return name.empty() || name == "str" ? "" : "_" + name;
}

std::string DefaultOf(const schema::DefaultValue& value, const Type& type) {
  const std::string constant = value.value ? ConstantOf(*value.value) : "";
  if (value.environment.empty()) return constant;
  const std::string names = Joined(value.environment, ", ", PythonQuoted);
  const std::string read = "_utilities.get_env" + ReaderSuffix(type.kind) + "(" + names + ")";
  return constant.empty() ? read : "(" + read + " or " + constant + ")";
}

std::string Docstring(const std::string& text, const std::string& indent) {
  const std::vector<std::string> lines = LinesOf(text);
  if (lines.empty()) return "";
  std::string doc = indent + "\"\"\"\n";
  for (const std::string& line : lines) {
    const std::string escaped = Replaced(Replaced(line, "\\", "\\\\"), "\"\"\"", "\\\"\\\"\\\"");
    doc += line.empty() ? "\n" : indent + escaped + "\n";
  }
  return doc + indent + "\"\"\"\n";
}

std::string LongText(const std::string& text) {
  return "\"\"\"" + Replaced(Replaced(text, "\\", "\\\\"), "\"", "\\\"") + "\"\"\"";
}

std::string Scope::Doc(const std::string& comment) const {
  return WithReferences(WithExamplesOf(comment, "python"), [this](const DocTarget& target) {
    const bool function = target.kind == DocTarget::Kind::kFunction;
    const bool as_args = target.input || target.kind == DocTarget::Kind::kType;
    const bool is_enum = package.FindEnum(target.token) != nullptr;
    std::string text = function ? PythonName(NameOfToken(target.token)) : ClassName(target.token);
    if (as_args && !function && !is_enum) text += "Args";
    return target.property.empty() ? text : text + "." + PythonName(target.property);
  });
}

// The lines after the first stand below the type.
std::string Scope::ParamDoc(const std::string& name, const Property& property, bool mapping, bool takes_outputs) const {
  const std::vector<std::string> lines = LinesOf(Doc(property.comment));
  if (lines.empty()) return "";
  const Use use{.takes_outputs = takes_outputs, .input = true, .accepts_mapping = mapping};
  return ":param " + PropertyText(property, false, use) + " " + name + ": " + Joined(lines, "\n       ") + "\n";
}

}  // namespace kingpost::sdkgen::python
