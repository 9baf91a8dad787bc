// SPDX-License-Identifier: Apache-2.0
// Nested types and enumerations: _inputs.py, outputs.py, _enums.py.
#include <algorithm>

#include "base/encoding.h"
#include "languages/codegen/names.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

bool IsIn(const Uses& uses, bool input) { return input ? uses.input : uses.output; }

// A name that could be no class: of a type such as "my-type".
std::string PythonType(const std::string& name) {
  const size_t begin = std::min(name.find_first_not_of('_'), name.size());
  return name.substr(0, begin) + codegen::UpperFirst(Unhyphenated(name.substr(begin)));
}

std::string PythonMember(const std::string& name, const std::string& type) {
  std::string safe = codegen::PythonName(SpelledSign(name));
  safe = Uppered(safe);
  if (safe.starts_with('_')) safe = Uppered(codegen::PythonName(type)) + safe;
  return SingleUnderscores(safe);
}

std::string MemberValue(const schema::Constant& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return Quote(*text);
  return PythonConstant(value);
}

const char* EnumBase(schema::Type::Kind kind) {
  if (kind == schema::Type::Kind::kInteger) return "_builtins.int, ";
  if (kind == schema::Type::Kind::kNumber) return "_builtins.float, ";
  return kind == schema::Type::Kind::kString ? "_builtins.str, " : "";  // nothing can be derived from bool
}

}  // namespace

std::string PythonGenerator::KeyWarning(const std::string& name, const schema::Properties& properties) const {
  std::string cases;
  for (const schema::Property& property : properties) {
    const std::string spelled = codegen::PythonName(property.name);
    if (spelled != property.name) cases += "            " + Quote(property.name) + ": " + Quote(spelled) + ",\n";
  }
  if (cases.empty()) return "";
  return "    @staticmethod\n    def __key_warning(key: str):\n        suggest = {\n" + cases +
         "        }.get(key)\n        if suggest:\n"
         "            pulumi.log.warn(f\"Key '{key}' not found in " +
         name +
         ". Access the value via the '{suggest}' property getter instead.\")\n\n"
         "    def __getitem__(self, key: str) -> Any:\n        " +
         name +
         ".__key_warning(key)\n        return super().__getitem__(key)\n\n"
         "    def get(self, key: str, default = None) -> Any:\n        " +
         name + ".__key_warning(key)\n        return super().get(key, default)\n\n";
}

std::string PythonGenerator::ClassBody(const Module& in, const std::string& comment,
                                       const schema::Properties& properties, bool input, bool takes_outputs) const {
  const PythonUse use{.takes_outputs = takes_outputs, .input = input};
  std::string signature, docs, body;
  if (!comment.empty()) docs = Doc(comment) + "\n\n";
  for (const schema::Property& property : properties) {
    const std::string name = codegen::PythonName(property.name);
    const bool optional = !property.required || property.default_value;
    signature +=
        ",\n                 " + name + ": " + PropertyText(in, property, optional, use) + (optional ? " = None" : "");
    docs += ParamDoc(in, name, property, false, true);
    if (input && !property.deprecation.empty()) {
      body += "        if " + name + " is not None:\n            warnings.warn(" + LongText(property.deprecation) +
              ", DeprecationWarning)\n            pulumi.log.warn(" +
              LongText(name + " is deprecated: " + property.deprecation) + ")\n";
    }
    if (property.default_value) {
      body += "        if " + name + " is None:\n            " + name + " = " +
              PythonDefault(*property.default_value, *property.type) + "\n";
    }
    const std::string value = property.constant ? PythonConstant(*property.constant) : name;
    if (!property.required) body += "        if " + name + " is not None:\n    ";
    body += "        pulumi.set(__self__, \"" + name + "\", " + value + ")\n";
  }
  if (properties.empty()) body = "        pass\n";
  return "    def __init__(__self__" + std::string(properties.empty() ? "" : ", *") + signature + "):\n" +
         Docstring(docs, "        ") + body + "\n" + Getters(in, properties, "    ", "", input, use) + "\n";
}

std::string PythonGenerator::InputClass(const Module& in, const std::string& name, const std::string& comment,
                                        const schema::Properties& properties, bool takes_outputs) const {
  return "@pulumi.input_type\nclass " + PythonType(name) + ":\n" +
         ClassBody(in, comment, RequiredFirst(properties), true, takes_outputs);
}

std::string PythonGenerator::OutputClass(const Module& in, const std::string& name,
                                         const schema::ObjectType& object) const {
  const schema::Properties properties = RequiredFirst(object.properties);
  std::string text = "@pulumi.output_type\nclass " + PythonType(name) + "(dict):\n";
  text += Docstring(Doc(object.comment), "    ");
  if (modules_.UsesOf({&object, false}).resource_output) text += KeyWarning(PythonType(name), properties);
  return text + ClassBody(in, object.comment, properties, false, false);
}

std::string PythonGenerator::TypedDict(const Module& in, const std::string& name, const std::string& comment,
                                       const schema::Properties& properties, bool takes_outputs) const {
  const PythonUse use{.takes_outputs = takes_outputs, .input = true, .dict = true};
  std::string text = "class " + PythonType(name) + "Dict(TypedDict):\n" + Docstring(Doc(comment), "    ");
  for (const schema::Property& property : RequiredFirst(properties)) {
    text +=
        "    " + codegen::PythonName(property.name) + ": " + PropertyText(in, property, !property.required, use) + "\n";
    text += Docstring(Doc(property.comment), "    ");
  }
  if (properties.empty()) text += "    pass\n";
  return text + "\n";
}

std::string PythonGenerator::ObjectFile(const Module& in, bool input) const {
  Imports imports;
  std::string names, classes;
  for (const ShapedObject& shaped : in.objects) {
    if (shaped.object->overlay || !IsIn(modules_.UsesOf(shaped), input)) continue;
    const schema::ObjectType& object = *shaped.object;
    Collect(in, object.properties, input, nullptr, &imports);
    const std::string name = ObjectName(shaped, input);
    names += "    '" + PythonType(name) + "',\n";
    if (!input) {
      classes += OutputClass(in, name, object);
      continue;
    }
    if (python_.typed_dicts()) {
      names += "    '" + PythonType(name) + "Dict',\n";
      classes += TypedDict(in, name, object.comment, object.properties, shaped.takes_outputs);
    }
    classes += InputClass(in, name, object.comment, object.properties, shaped.takes_outputs);
  }
  if (classes.empty()) return "";
  if (input) imports.erase("from ._inputs import *");
  for (const schema::EnumType* enumeration : in.enums) imports.insert(EnumImport(in, *enumeration));
  return Header(in, imports) + "__all__ = [\n" + names + "]\n\n" + classes;
}

std::string PythonGenerator::EnumFile(const Module& in) const {
  std::string names, classes;
  for (const schema::EnumType* enumeration : in.enums) {
    const std::string name = codegen::UpperFirst(schema::NameOfToken(enumeration->token));
    names += "    '" + name + "',\n";
    classes += "\n\n@pulumi.type_token(\"" + enumeration->token + "\")\nclass " + name + "(" +
               EnumBase(enumeration->element) + "Enum):\n" + Docstring(Doc(enumeration->comment), "    ");
    for (const schema::EnumValue& value : enumeration->values) {
      classes += "    " + PythonMember(MemberName(value), name) + " = " + MemberValue(value.value) + "\n";
      classes += Docstring(Doc(value.comment), "    ");
    }
    if (enumeration->values.empty()) classes += "    pass\n";
  }
  return std::string("# coding=utf-8\n# ") + kGeneratedBy + "\n# " + kDoNotEdit +
         "\n\nimport builtins as _builtins\nimport pulumi\nfrom enum import Enum\n\n__all__ = [\n" + names + "]\n" +
         classes;
}

}  // namespace kingpost::sdkgen
