// SPDX-License-Identifier: Apache-2.0
// Interfaces of nested types and arguments, their defaults, and enumerations.
#include <algorithm>

#include "languages/sdkgen/node_scope.h"

namespace kingpost::sdkgen::node {

namespace {

std::string MemberText(const std::string& name, const std::string& type) {
  const std::string safe = SingleUnderscores(Identifier(UpperFirst(SpelledSign(name))));
  return safe.starts_with('_') ? type + safe : safe;
}

// With what nodejs needs of the type, where that differs.
Properties PropertiesFor(const ObjectType& object, bool input) {
  Properties properties = object.properties;
  const auto& needed = input ? object.node_required_inputs : object.node_required_outputs;
  if (!needed) return properties;
  for (Property& property : properties) {
    property.required = std::find(needed->begin(), needed->end(), property.name) != needed->end();
  }
  return properties;
}

std::string DefaultsFunction(const Scope& in, const std::string& name, const Properties& properties, const Use& use,
                             const std::string& indent) {
  std::string values;
  for (const Property& property : properties) {
    const std::string value = "val." + property.name;
    const std::string function = in.DefaultsFunctionFor(*property.type, use.takes_outputs, use.input);
    std::string filled;
    if (property.default_value) {
      filled = "(" + value + ") ?? " + DefaultOf(*property.default_value, *property.type);
    } else if (function.empty()) {
      continue;
    } else if (use.takes_outputs && !property.type->plain) {
      filled = FilledInLater(function, value, property.required);
    } else {
      filled = property.required ? function + "(" + value + ")" : "(" + FilledIn(function, value) + ")";
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
std::string Namespace(const Scope& in, const std::vector<ShapedObject>& objects, const std::string& path, bool input,
                      const std::string& indent) {
  std::string text;
  std::map<std::string, std::vector<ShapedObject>> children;
  for (const ShapedObject& object : objects) {
    const std::string own = in.modules.PathOf(object.object->token);
    if (own != path) {
      const std::string rest = path.empty() ? own : own.substr(path.size() + 1);
      children[rest.substr(0, rest.find('/'))].push_back(object);
      continue;
    }
    const std::string name = in.ObjectName(object, input);
    const Properties properties = PropertiesFor(*object.object, input);
    const Use use{.takes_outputs = object.takes_outputs, .input = input};
    text += Interface(in, name, object.object->comment, properties, use, false, indent) +
            DefaultsFunction(in, name, properties, use, indent) + "\n";
  }
  for (const auto& [name, inside] : children) {
    text += indent + "export namespace " + Joined(Split(name, '.'), ".", Identifier) + " {\n" +
            Namespace(in, inside, path.empty() ? name : path + "/" + name, input, indent + "    ") + indent + "}\n\n";
  }
  return text;
}

}  // namespace

std::string Comment(const std::string& comment, const std::string& deprecation, const std::string& indent) {
  const std::string text = WithReferences(comment, [](const DocTarget& target) {
    const bool function = target.kind == DocTarget::Kind::kFunction;
    const std::string name = UpperFirst(NameOfToken(target.token));
    std::string spelled = function && target.property.empty() ? Camel(name) : name;
    if (target.input) spelled += "Args";
    return target.property.empty() ? spelled : spelled + "." + Camel(target.property);
  });
  std::vector<std::string> lines = LinesOf(InComment(text));
  if (!deprecation.empty()) {
    if (!lines.empty()) lines.emplace_back();
    lines.push_back("@deprecated " + InComment(deprecation));
  }
  if (lines.empty()) return "";
  std::string block = indent + "/**\n";
  for (const std::string& line : lines) block += indent + (line.empty() ? " *" : " * " + line) + "\n";
  return block + indent + " */\n";
}

std::string Interface(const Scope& in, const std::string& name, const std::string& comment,
                      const Properties& properties, const Use& use, bool readonly, const std::string& indent) {
  std::string text = Comment(comment, "", indent) + indent + "export interface " + name + " {\n";
  for (const Property& property : properties) {
    text += Comment(property.comment, property.deprecation, indent + "    ") + indent + "    " +
            (readonly ? "readonly " : "") + property.name + (property.required ? ": " : "?: ") +
            in.PropertyType(property, use) + ";\n";
  }
  return text + indent + "}\n";
}

std::string ObjectFile(const Scope& in, bool input) {
  std::vector<ShapedObject> objects;
  Imports imports;
  imports.nested = true;
  Module types;
  types.path = "types";
  for (const auto& [path, module] : in.modules.all()) {
    for (const ShapedObject& object : module.objects) {
      const Uses uses = in.modules.UsesOf(object);
      if (object.object->overlay || !(input ? uses.input : uses.output)) continue;
      objects.push_back(object);
      in.Collect(types, object.object->properties, nullptr, &imports);
    }
  }
  std::stable_sort(objects.begin(), objects.end(), [](const ShapedObject& a, const ShapedObject& b) {
    return NameOfToken(a.object->token) < NameOfToken(b.object->token);
  });
  return in.Header(types, imports) + Namespace(in, objects, "", input, "");
}

std::string EnumFile(const Module& module) {
  std::string text = GeneratedNote("//") + "\n";
  for (const schema::EnumType* enumeration : module.enums) {
    const std::string name = UpperFirst(NameOfToken(enumeration->token));
    text += "export const " + name + " = {\n";
    for (const schema::EnumValue& value : enumeration->values) {
      text += Comment(value.comment, value.deprecation, "    ") + "    " + MemberText(MemberName(value), name) + ": " +
              ConstantOf(value.value) + ",\n";
    }
    text += "} as const;\n\n" + Comment(enumeration->comment, "", "") + "export type " + name + " = (typeof " + name +
            ")[keyof typeof " + name + "];\n\n";
  }
  return text;
}

}  // namespace kingpost::sdkgen::node
