// SPDX-License-Identifier: Apache-2.0
// Names in a Node.js SDK, and how one file refers to names of another.
#include <algorithm>
#include <cctype>

#include "languages/sdkgen/node_scope.h"

namespace kingpost::sdkgen::node {

namespace {

bool IsWordSign(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) || c == '_' || c == '$';
}

// The name that other packages are imported by: "pulumiAws".
std::string Alias(const schema::Package& package) { return "pulumi" + UpperFirst(Unhyphenated(package.name)); }

std::string ImportLine(const std::string& name, const std::string& from) {
  return "import * as " + name + " from \"" + from + "\";\n";
}

}  // namespace

std::string ModulePath(const schema::Package& package, const NodeOptions& options, const std::string& token) {
  const std::string module = package.ModuleOf(token);
  const auto named = options.module_names.find(module);
  return named == options.module_names.end() ? module : named->second;
}

std::string Camel(const std::string& name) {
  std::string text = Unhyphenated(name);
  const auto small = std::find_if(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return Lowered({text.begin(), small}) + std::string(small, text.end());
}

std::string Identifier(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (text.empty() && c >= '0' && c <= '9') text += '_';
    text += IsWordSign(c) ? c : '_';
  }
  return codegen::IsTypeScriptReserved(text) ? "_" + text : text;
}

std::string ClassName(const std::string& token) {
  return IsProviderType(token) ? "Provider" : UpperFirst(NameOfToken(token));
}

std::string FunctionName(const Function& function) { return Camel(UpperFirst(NameOfToken(function.token))); }

// A file of a folder's name, or of one that every SDK has, would hide it.
std::string FileName(const Module& in, const std::string& name) {
  bool taken = name == "index" || (name == "utilities" && in.path.empty()) || (name == "vars" && in.config);
  for (const Module* child : in.children) {
    taken = taken || Lowered(child->path.substr(child->path.find('/') + 1)) == name;
  }
  return taken ? name + "_" : name;
}

std::string Scope::TypeModule(const schema::Package& owner, const std::string& token) const {
  const std::string path = IsOwn(&owner) ? modules.PathOf(token) : ModulePath(owner, NodeOptions::Of(owner), token);
  return path.empty() ? "" : Joined(Split(Replaced(path, "/", "."), '.'), ".", Identifier) + ".";
}

std::string Scope::ObjectName(const ShapedObject& object, bool input) const {
  const schema::Package& owner = *object.object->package;
  const bool plain_names = IsOwn(&owner) ? options.plain_names() : NodeOptions::Of(owner).plain_names();
  const bool of_function = input && modules.UsesOf(object).function;
  const std::string name = UpperFirst(NameOfToken(object.object->token));
  return object.takes_outputs && (!plain_names || of_function) ? name + "Args" : name;
}

std::string Scope::ObjectRef(const ShapedObject& object, bool input) const {
  const schema::Package& owner = *object.object->package;
  const std::string name = TypeModule(owner, object.object->token) + ObjectName(object, input);
  if (IsOwn(&owner)) return (input ? "inputs." : "outputs.") + name;
  return Alias(owner) + (input ? ".types.input." : ".types.output.") + name;
}

std::string Scope::EnumRef(const schema::EnumType& enumeration) const {
  const schema::Package& owner = *enumeration.package;
  return (IsOwn(&owner) ? "enums" : Alias(owner)) + "." + TypeModule(owner, enumeration.token) +
         UpperFirst(NameOfToken(enumeration.token));
}

std::string Scope::ResourceRef(const Type& type) const {
  const schema::Package& owner = *type.resource->package;
  const std::string name = ClassName(type.token);
  return IsOwn(&owner) ? name : Alias(owner) + "." + TypeModule(owner, type.token) + name;
}

void Scope::Collect(const Module& in, const Properties& properties, const Resource* self, Imports* imports) const {
  VisitTypes(WithoutSelf(properties), [&](const Type& type) {
    const schema::Package* owner = type.object        ? type.object->package
                                   : type.enumeration ? type.enumeration->package
                                   : type.resource    ? type.resource->package
                                                      : nullptr;
    if (owner && !IsOwn(owner)) {
      const auto named = options.provider_modules.find(owner->name);
      const bool has_name = named != options.provider_modules.end();
      imports->lines.insert(
          ImportLine(Alias(*owner), has_name ? named->second : "@" + OwnerOf(*owner) + "/" + owner->name));
      return false;
    }
    if (type.enumeration || type.object) imports->nested = true;
    const bool names_class = type.kind == Type::Kind::kResource || type.kind == Type::Kind::kToken;
    if (!names_class || (self && type.resource == self)) return true;
    const std::string path = modules.PathOf(type.token);
    const std::string from = Lowered(RelativePath(in.path, path));
    imports->classes[path == in.path || from == "." ? "./index" : from].insert(ClassName(type.token));
    return true;
  });
}

std::string Scope::Header(const Module& in, const Imports& imports, bool with_sdk, bool with_utilities) const {
  const std::string root = RelativePath(in.path, "");
  std::string lines;
  if (with_sdk) lines += ImportLine("pulumi", "@pulumi/pulumi");
  if (imports.nested) {
    lines += ImportLine("inputs", root + "/types/input") + ImportLine("outputs", root + "/types/output");
    if (HasEnums()) lines += ImportLine("enums", root + "/types/enums");
  }
  if (with_utilities) lines += ImportLine("utilities", root + "/utilities");
  for (const std::string& line : imports.lines) lines += line;
  for (const auto& [module, names] : imports.classes) {
    lines +=
        "import {" + Joined(names, ", ") + "} from \"" + (module.starts_with('.') ? module : "./" + module) + "\";\n";
  }
  return GeneratedNote("//") + "\n" + lines + (lines.empty() ? "" : "\n");
}

}  // namespace kingpost::sdkgen::node
