// SPDX-License-Identifier: Apache-2.0
// Interfaces of nested types and arguments, their defaults, and enumerations.
#include <algorithm>

#include "base/encoding.h"
#include "languages/codegen/names.h"
#include "languages/sdkgen/docs.h"
#include "languages/sdkgen/node_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

std::string NodeIndent(int depth) { return std::string(static_cast<size_t>(depth) * 4, ' '); }

std::string NodeMember(const std::string& name, const std::string& type) {
  const std::string safe = SingleUnderscores(NodeIdentifier(codegen::UpperFirst(SpelledSign(name))));
  return safe.starts_with('_') ? type + safe : safe;
}

bool NeedsDefaults(const schema::Type& type, std::set<const schema::ObjectType*>* seen) {
  if (!type.object || !seen->insert(type.object).second) return false;
  return std::any_of(type.object->properties.begin(), type.object->properties.end(),
                     [&](const schema::Property& one) { return one.default_value || NeedsDefaults(*one.type, seen); });
}

// "inputs.nested.endpointArgsProvideDefaults" of "inputs.nested.EndpointArgs".
std::string DefaultsName(const std::string& type) {
  const size_t dot = type.rfind('.');
  const size_t begin = dot == std::string::npos ? 0 : dot + 1;
  return type.substr(0, begin) + NodeCamel(type.substr(begin)) + "ProvideDefaults";
}

// With what nodejs needs of the type, where that differs.
schema::Properties PropertiesFor(const schema::ObjectType& object, bool input) {
  schema::Properties properties = object.properties;
  const auto& needed = input ? object.node_required_inputs : object.node_required_outputs;
  if (!needed) return properties;
  for (schema::Property& property : properties) {
    property.required = std::find(needed->begin(), needed->end(), property.name) != needed->end();
  }
  return properties;
}

}  // namespace

std::string NodeGenerator::Comment(const std::string& comment, const std::string& deprecation,
                                   const std::string& indent) const {
  const std::string text = WithReferences(comment, [](const DocTarget& target) {
    const bool function = target.kind == DocTarget::Kind::kFunction;
    const std::string name = codegen::UpperFirst(schema::NameOfToken(target.token));
    std::string spelled = function && target.property.empty() ? NodeCamel(name) : name;
    if (target.input) spelled += "Args";
    return target.property.empty() ? spelled : spelled + "." + NodeCamel(target.property);
  });
  std::vector<std::string> lines = LinesOf(Replaced(text, "*/", "*&#47;"));
  if (!deprecation.empty()) {
    if (!lines.empty()) lines.emplace_back();
    lines.push_back("@deprecated " + Replaced(deprecation, "*/", "*&#47;"));
  }
  if (lines.empty()) return "";
  std::string block = indent + "/**\n";
  for (const std::string& line : lines) block += indent + (line.empty() ? " *" : " * " + line) + "\n";
  return block + indent + " */\n";
}

std::string NodeGenerator::Interface(const std::string& name, const std::string& comment,
                                     const schema::Properties& properties, bool takes_outputs, bool input,
                                     bool readonly, int depth) const {
  const std::string indent = NodeIndent(depth);
  std::string text = Comment(comment, "", indent) + indent + "export interface " + name + " {\n";
  for (const schema::Property& property : properties) {
    text += Comment(property.comment, property.deprecation, indent + "    ");
    text += indent + "    " + (readonly ? "readonly " : "") + property.name + (property.required ? ": " : "?: ");
    text += PropertyType(property, takes_outputs, input) + ";\n";
  }
  return text + indent + "}\n";
}

std::string NodeGenerator::DefaultsFunctionFor(const schema::Type& type, bool takes_outputs, bool input) const {
  std::set<const schema::ObjectType*> seen;
  if (!NeedsDefaults(type, &seen)) return "";
  return DefaultsName(ObjectRef({type.object, takes_outputs}, input));
}

// `lifted`: the value may be an output. Nothing else is done to what needs no defaults.
std::string NodeGenerator::WithDefaults(const schema::Property& property, const std::string& value, bool lifted) const {
  const std::string function = DefaultsFunctionFor(*property.type, lifted, true);
  if (function.empty()) return value;
  if (!lifted || property.type->plain) return "(" + value + " ? " + function + "(" + value + ") : undefined)";
  const std::string apply = property.required ? function : "v => v === undefined ? undefined : " + function + "(v)";
  return "pulumi.output(" + value + ").apply(" + apply + ")";
}

std::string NodeGenerator::DefaultsFunction(const std::string& name, const schema::Properties& properties,
                                            bool takes_outputs, bool input, int depth) const {
  std::string values;
  const std::string indent = NodeIndent(depth);
  for (const schema::Property& property : properties) {
    const std::string value = "val." + property.name;
    const std::string function = DefaultsFunctionFor(*property.type, takes_outputs, input);
    std::string filled;
    if (property.default_value) {
      filled = "(" + value + ") ?? " + NodeDefault(*property.default_value, *property.type);
    } else if (function.empty()) {
      continue;
    } else if (takes_outputs && !property.type->plain) {
      filled = "pulumi.output(" + value + ").apply(" +
               (property.required ? function : "v => v === undefined ? undefined : " + function + "(v)") + ")";
    } else {
      filled = property.required ? function + "(" + value + ")"
                                 : "(" + value + " ? " + function + "(" + value + ") : undefined)";
    }
    values += indent + "        " + property.name + ": " + filled + ",\n";
  }
  if (values.empty()) return "";
  const std::string function = DefaultsName(name);
  return Comment(function + " sets the appropriate defaults for " + name, "", indent) + indent + "export function " +
         function + "(val: " + name + "): " + name + " {\n" + indent + "    return {\n" + indent + "        ...val,\n" +
         values + indent + "    };\n" + indent + "}\n";
}

// The objects of one module, and its children as namespaces within.
std::string NodeGenerator::Namespace(const std::vector<ShapedObject>& objects, const std::string& path, bool input,
                                     int depth) const {
  std::string text;
  std::map<std::string, std::vector<ShapedObject>> children;
  for (const ShapedObject& object : objects) {
    const std::string own = ModulePath(object.object->token);
    if (own != path) {
      const std::string rest = path.empty() ? own : own.substr(path.size() + 1);
      children[rest.substr(0, rest.find('/'))].push_back(object);
      continue;
    }
    const std::string name = ObjectName(object, input);
    const schema::Properties properties = PropertiesFor(*object.object, input);
    text += Interface(name, object.object->comment, properties, object.takes_outputs, input, false, depth);
    text += DefaultsFunction(name, properties, object.takes_outputs, input, depth) + "\n";
  }
  const std::string indent = NodeIndent(depth);
  for (const auto& [name, inside] : children) {
    std::vector<std::string> words;
    for (const std::string& word : Split(name, '.')) words.push_back(NodeIdentifier(word));
    text += indent + "export namespace " + Joined(words, ".") + " {\n" +
            Namespace(inside, path.empty() ? name : path + "/" + name, input, depth + 1) + indent + "}\n\n";
  }
  return text;
}

std::string NodeGenerator::ObjectFile(bool input) const {
  std::vector<ShapedObject> objects;
  NodeImports imports;
  imports.nested = true;
  Module types;
  types.path = "types";
  for (const auto& [path, module] : modules_.all()) {
    for (const ShapedObject& object : module->objects) {
      const Uses uses = modules_.UsesOf(object);
      if (object.object->overlay || !(input ? uses.input : uses.output)) continue;
      objects.push_back(object);
      CollectAll(types, object.object->properties, nullptr, &imports);
    }
  }
  std::stable_sort(objects.begin(), objects.end(), [](const ShapedObject& a, const ShapedObject& b) {
    return schema::NameOfToken(a.object->token) < schema::NameOfToken(b.object->token);
  });
  return Header(types, imports, true, true) + Namespace(objects, "", input, 0);
}

std::string NodeGenerator::EnumFile(const Module& module) const {
  std::string text = std::string("// ") + kGeneratedBy + "\n// " + kDoNotEdit + "\n\n";
  for (const schema::EnumType* enumeration : module.enums) {
    const std::string name = codegen::UpperFirst(schema::NameOfToken(enumeration->token));
    text += "export const " + name + " = {\n";
    for (const schema::EnumValue& value : enumeration->values) {
      text += Comment(value.comment, value.deprecation, "    ");
      text += "    " + NodeMember(MemberName(value), name) + ": " + NodeConstant(value.value) + ",\n";
    }
    text += "} as const;\n\n" + Comment(enumeration->comment, "", "");
    text += "export type " + name + " = (typeof " + name + ")[keyof typeof " + name + "];\n\n";
  }
  return text;
}

}  // namespace kingpost::sdkgen
