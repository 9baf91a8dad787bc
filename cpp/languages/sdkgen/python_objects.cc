// SPDX-License-Identifier: Apache-2.0
// Nested types and enumerations: _inputs.py, outputs.py, _enums.py.
#include <algorithm>

#include "languages/sdkgen/python_scope.h"

namespace kingpost::sdkgen::python {

namespace {

// A name that could be no class: of a type such as "_private".
std::string TypeName(const std::string& name) {
  const size_t begin = std::min(name.find_first_not_of('_'), name.size());
  return name.substr(0, begin) + UpperFirst(name.substr(begin));
}

std::string Uppered(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string MemberText(const std::string& name, const std::string& type) {
  const std::string safe = PythonName(SpelledSign(name));
  return SingleUnderscores(Uppered(safe.starts_with('_') ? PythonName(type) + safe : safe));
}

// Programs that read an answer as a dict may know the schema's names.
std::string KeyWarning(const std::string& name, const Properties& properties) {
  std::string cases;
  for (const Property& property : properties) {
    const std::string spelled = PythonName(property.name);
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

std::string ClassBody(const Scope& in, const std::string& comment, const Properties& unordered, const Use& use) {
  const Properties properties = RequiredFirst(unordered);
  std::string signature, docs, body;
  if (!comment.empty()) docs = in.Doc(comment) + "\n\n";
  for (const Property& property : properties) {
    const std::string name = PythonName(property.name);
    const bool optional = !property.required || property.default_value;
    signature += ",\n                 " + name + ": " + in.PropertyText(property, optional, use);
    signature += optional ? " = None" : "";
    docs += in.ParamDoc(name, property, false, true);
    if (use.input && !property.deprecation.empty()) {
      body += "        if " + name + " is not None:\n            warnings.warn(" + LongText(property.deprecation) +
              ", DeprecationWarning)\n            pulumi.log.warn(" +
              LongText(name + " is deprecated: " + property.deprecation) + ")\n";
    }
    if (property.default_value) {
      body += "        if " + name + " is None:\n            " + name + " = " +
              DefaultOf(*property.default_value, *property.type) + "\n";
    }
    const std::string value = property.constant ? ConstantOf(*property.constant) : name;
    if (!property.required) body += "        if " + name + " is not None:\n    ";
    body += "        pulumi.set(__self__, \"" + name + "\", " + value + ")\n";
  }
  if (properties.empty()) body = "        pass\n";
  return "    def __init__(__self__" + std::string(properties.empty() ? "" : ", *") + signature + "):\n" +
         Docstring(docs, "        ") + body + "\n" + Getters(in, properties, "    ", "", use) + "\n";
}

std::string OutputClass(const Scope& in, const std::string& name, const ObjectType& object) {
  std::string text = "@pulumi.output_type\nclass " + name + "(dict):\n" + Docstring(in.Doc(object.comment), "    ");
  if (in.modules.UsesOf({&object, false}).resource_output) text += KeyWarning(name, RequiredFirst(object.properties));
  return text + ClassBody(in, object.comment, object.properties, {});
}

std::string TypedDict(const Scope& in, const std::string& name, const ObjectType& object, bool takes_outputs) {
  const Use use{.takes_outputs = takes_outputs, .input = true, .dict = true};
  std::string text = "class " + name + "(TypedDict):\n" + Docstring(in.Doc(object.comment), "    ");
  for (const Property& property : RequiredFirst(object.properties)) {
    text += "    " + PythonName(property.name) + ": " + in.PropertyText(property, !property.required, use) + "\n" +
            Docstring(in.Doc(property.comment), "    ");
  }
  return text + (object.properties.empty() ? "    pass\n\n" : "\n");
}

}  // namespace

std::string InputClass(const Scope& in, const std::string& name, const std::string& comment,
                       const Properties& properties, bool takes_outputs) {
  return "@pulumi.input_type\nclass " + TypeName(name) + ":\n" +
         ClassBody(in, comment, properties, {.takes_outputs = takes_outputs, .input = true});
}

std::string ObjectFile(const Scope& in, bool input) {
  Imports imports;
  std::string names, classes;
  for (const ShapedObject& shaped : in.module.objects) {
    const Uses uses = in.modules.UsesOf(shaped);
    if (shaped.object->overlay || !(input ? uses.input : uses.output)) continue;
    const ObjectType& object = *shaped.object;
    in.Collect(object.properties, input, nullptr, &imports);
    const std::string name = TypeName(in.ObjectName(shaped, input));
    names += "    '" + name + "',\n";
    if (input && in.options.typed_dicts()) {
      names += "    '" + name + "Dict',\n";
      classes += TypedDict(in, name + "Dict", object, shaped.takes_outputs);
    }
    classes += input ? InputClass(in, name, object.comment, object.properties, shaped.takes_outputs)
                     : OutputClass(in, name, object);
  }
  if (classes.empty()) return "";
  if (input) imports.erase("from ._inputs import *");
  if (!in.module.enums.empty()) imports.insert("from ._enums import *");
  return in.Header(imports) + "__all__ = [\n" + names + "]\n\n" + classes;
}

std::string EnumFile(const Scope& in) {
  std::string names, classes;
  for (const schema::EnumType* enumeration : in.module.enums) {
    const std::string name = UpperFirst(NameOfToken(enumeration->token)), type = BuiltinName(enumeration->element);
    const std::string base = type == "bool" ? "" : "_builtins." + type + ", ";  // nothing can be derived from bool
    names += "    '" + name + "',\n";
    classes += "\n\n@pulumi.type_token(\"" + enumeration->token + "\")\nclass " + name + "(" + base + "Enum):\n" +
               Docstring(in.Doc(enumeration->comment), "    ");
    for (const schema::EnumValue& value : enumeration->values) {
      const std::string constant = type == "str" ? Quote(ConstantText(value.value)) : ConstantOf(value.value);
      classes += "    " + MemberText(MemberName(value), name) + " = " + constant + "\n" +
                 Docstring(in.Doc(value.comment), "    ");
    }
    if (enumeration->values.empty()) classes += "    pass\n";
  }
  return FileHead() + "\nimport builtins as _builtins\nimport pulumi\nfrom enum import Enum\n\n__all__ = [\n" + names +
         "]\n" + classes;
}

std::string Getters(const Scope& in, const Properties& properties, const std::string& indent, const std::string& around,
                    const Use& use) {
  std::string text;
  for (const Property& property : properties) {
    const std::string name = PythonName(property.name);
    std::string type = in.PropertyText(property, !property.required, use);
    if (!around.empty()) type = around + "[" + type + "]";
    text += indent + "@_builtins.property\n" + indent + "@pulumi.getter";
    text += (name == property.name ? "" : "(name=" + Quote(property.name) + ")") + "\n";
    if (!property.deprecation.empty()) {
      text += indent + "@_utilities.deprecated(" + LongText(property.deprecation) + ")\n";
    }
    text += indent + "def " + name + "(self) -> " + type + ":\n" + Docstring(in.Doc(property.comment), indent + "    ");
    text += indent + "    return pulumi.get(self, " + Quote(name) + ")\n\n";
    if (!use.input) continue;
    text += indent + "@" + name + ".setter\n" + indent + "def " + name + "(self, value: " + type + "):\n";
    text += indent + "    pulumi.set(self, " + Quote(name) + ", value)\n\n";
  }
  return text;
}

// For results: the values of an answer are checked, because they come from outside.
std::string ResultInit(const Scope& in, const Properties& properties, const std::string& indent) {
  std::string parameters, body;
  for (const Property& property : properties) {
    const std::string name = PythonName(property.name), type = in.RuntimeType(*property.type);
    const bool hidden = name == type;  // by the parameter
    parameters += ", " + name + "=None";
    body += indent + "    if " + name + " and not isinstance(" + name + ", " + (hidden ? "_builtins." : "") + type +
            "):\n" + indent + "        raise TypeError(\"Expected argument '" + name + "' to be a " + type + "\")\n" +
            indent + "    pulumi.set(__self__, \"" + name + "\", " + name + ")\n";
  }
  if (body.empty()) body = indent + "    pass\n";
  return indent + "def __init__(__self__" + parameters + "):\n" + body + "\n";
}

}  // namespace kingpost::sdkgen::python
