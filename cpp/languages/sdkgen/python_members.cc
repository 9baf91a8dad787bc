// SPDX-License-Identifier: Apache-2.0
// Properties of classes.
#include "base/encoding.h"
#include "languages/codegen/names.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

// `prefix` is put around the type: "pulumi.Output".
std::string PythonGenerator::Getters(const Module& in, const schema::Properties& properties, const std::string& indent,
                                     const std::string& prefix, bool setters, const PythonUse& use) const {
  std::string text;
  for (const schema::Property& property : properties) {
    const std::string name = codegen::PythonName(property.name);
    std::string type = PropertyText(in, property, !property.required, use);
    if (!prefix.empty()) type = prefix + "[" + type + "]";
    text += indent + "@_builtins.property\n" + indent + "@pulumi.getter";
    text += (name == property.name ? "" : "(name=" + Quote(property.name) + ")") + "\n";
    if (!property.deprecation.empty()) {
      text += indent + "@_utilities.deprecated(" + LongText(property.deprecation) + ")\n";
    }
    text += indent + "def " + name + "(self) -> " + type + ":\n";
    text += Docstring(Doc(property.comment), indent + "    ");
    text += indent + "    return pulumi.get(self, " + Quote(name) + ")\n\n";
    if (!setters) continue;
    text += indent + "@" + name + ".setter\n" + indent + "def " + name + "(self, value: " + type + "):\n";
    text += indent + "    pulumi.set(self, " + Quote(name) + ", value)\n\n";
  }
  return text;
}

// For results: the values of an answer are checked, because they come from outside.
std::string PythonGenerator::ResultInit(const Module& in, const schema::Properties& properties,
                                        const std::string& indent) const {
  std::string text = indent + "def __init__(__self__";
  for (const schema::Property& property : properties) text += ", " + codegen::PythonName(property.name) + "=None";
  text += "):\n";
  if (properties.empty()) text += indent + "    pass\n";
  for (const schema::Property& property : properties) {
    const std::string name = codegen::PythonName(property.name);
    const std::string type = RuntimeType(in, *property.type);
    const bool hidden = name == type;  // by the parameter
    text +=
        indent + "    if " + name + " and not isinstance(" + name + ", " + (hidden ? "_builtins." : "") + type + "):\n";
    text += indent + "        raise TypeError(\"Expected argument '" + name + "' to be a " + type + "\")\n";
    text += indent + "    pulumi.set(__self__, \"" + name + "\", " + name + ")\n";
  }
  return text + "\n";
}

}  // namespace kingpost::sdkgen
