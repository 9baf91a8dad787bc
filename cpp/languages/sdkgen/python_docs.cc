// SPDX-License-Identifier: Apache-2.0
// Docstrings.
#include "languages/codegen/names.h"
#include "languages/sdkgen/docs.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

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

std::string PythonGenerator::Doc(const std::string& comment) const {
  return WithReferences(WithExamplesOf(comment, "python"), [this](const DocTarget& target) {
    const bool function = target.kind == DocTarget::Kind::kFunction;
    const std::string name = schema::NameOfToken(target.token);
    const bool as_args = target.input || target.kind == DocTarget::Kind::kType;
    const bool is_enum = package_.FindEnum(target.token) != nullptr;
    std::string text = function ? codegen::PythonName(name) : PythonClassName(target.token);
    if (as_args && !function && !is_enum) text += "Args";
    return target.property.empty() ? text : text + "." + codegen::PythonName(target.property);
  });
}

// The lines after the first stand below the type.
std::string PythonGenerator::ParamDoc(const Module& in, const std::string& name, const schema::Property& property,
                                      bool mapping, bool takes_outputs) const {
  const std::vector<std::string> lines = LinesOf(Doc(property.comment));
  if (lines.empty()) return "";
  PythonUse use{.takes_outputs = takes_outputs, .input = true, .accepts_mapping = mapping};
  std::string text = ":param " + PropertyText(in, property, false, use) + " " + name + ": " + lines[0] + "\n";
  for (size_t i = 1; i < lines.size(); ++i) text += "       " + lines[i] + "\n";
  return text;
}

}  // namespace kingpost::sdkgen
