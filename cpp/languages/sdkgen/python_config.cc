// SPDX-License-Identifier: Apache-2.0
// The configuration of a package as a module: config.region is read when it is asked for.
#include "base/encoding.h"
#include "languages/codegen/names.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

using Kind = schema::Type::Kind;

// A value of another type is given as its text.
std::string ConfigType(const schema::Property& variable) {
  const Kind kind = variable.type->kind;
  const std::string type = kind == Kind::kBool      ? "bool"
                           : kind == Kind::kInteger ? "int"
                           : kind == Kind::kNumber  ? "float"
                                                    : "str";
  const bool has_default = variable.default_value && variable.default_value->value;
  return has_default ? type : "Optional[" + type + "]";
}

std::string ConfigGetter(Kind kind) {
  if (kind == Kind::kBool) return "get_bool";
  if (kind == Kind::kInteger) return "get_int";
  return kind == Kind::kNumber ? "get_float" : "get";
}

}  // namespace

std::string PythonGenerator::ConfigFile(const Module& in) const {
  Imports imports;
  Collect(in, package_.config, false, nullptr, &imports);
  std::string text = Header(in, imports) + "import types\n\n__config__ = pulumi.Config('" + package_.name + "')\n\n\n";
  text += "class _ExportableConfig(types.ModuleType):\n";
  for (const schema::Property& variable : package_.config) {
    text += "    @_builtins.property\n    def " + codegen::PythonName(variable.name) + "(self) -> " +
            ConfigType(variable) + ":\n";
    text += Docstring(Doc(variable.comment), "        ");
    text += "        return __config__." + ConfigGetter(variable.type->kind) + "('" + variable.name + "')";
    if (variable.default_value) text += " or " + PythonDefault(*variable.default_value, *variable.type);
    text += "\n\n";
  }
  return text;
}

// Editors see no types in the class above.
std::string PythonGenerator::ConfigStubs(const Module& in) const {
  Imports imports;
  Collect(in, package_.config, false, nullptr, &imports);
  std::string text = Header(in, imports);
  for (const schema::Property& variable : package_.config) {
    text += codegen::PythonName(variable.name) + ": " + ConfigType(variable) + "\n" +
            Docstring(Doc(variable.comment), "") + "\n";
  }
  return text;
}

}  // namespace kingpost::sdkgen
