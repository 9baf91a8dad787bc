// SPDX-License-Identifier: Apache-2.0
// Names in a Node.js SDK, and how one file refers to names of another.
#include <algorithm>
#include <cctype>

#include "languages/codegen/names.h"
#include "languages/sdkgen/node_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

bool IsWordSign(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) || c == '_' || c == '$';
}

// The words that may name nothing at all.
bool IsReserved(const std::string& name) {
  static const std::set<std::string> kWords = {
      "break",     "case",       "catch",   "class",     "const",   "continue", "debugger", "default", "delete",
      "do",        "else",       "export",  "extends",   "finally", "for",      "function", "if",      "import",
      "in",        "instanceof", "new",     "return",    "super",   "switch",   "this",     "throw",   "try",
      "typeof",    "var",        "void",    "while",     "with",    "yield",    "enum",     "await",   "implements",
      "interface", "package",    "private", "protected", "public",  "null",     "true",     "false"};
  return kWords.count(name) > 0;
}

std::string PathOfModule(const schema::Package& package, const NodeOptions& options, const std::string& token) {
  const std::string module = package.ModuleOf(token);
  const auto named = options.module_names.find(module);
  return named == options.module_names.end() ? module : named->second;
}

}  // namespace

std::string NodeCamel(const std::string& name) {
  std::string text = Unhyphenated(name);
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') break;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string NodeIdentifier(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (text.empty() && c >= '0' && c <= '9') text += '_';
    text += IsWordSign(c) ? c : '_';
  }
  return IsReserved(text) ? "_" + text : text;
}

std::string NodeClassName(const std::string& token) {
  return IsProviderType(token) ? "Provider" : codegen::UpperFirst(schema::NameOfToken(token));
}

std::string NodeFunctionName(const schema::Function& function) {
  return NodeCamel(codegen::UpperFirst(schema::NameOfToken(function.token)));
}

std::string NodeAlias(const std::string& package) {
  std::string alias = "pulumi";
  bool begins = true;
  for (const char c : package) {
    if (IsWordSign(c)) alias += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = !IsWordSign(c);
  }
  return alias;
}

std::string NodeChild(const std::string& path) {
  const std::string lower = Lowered(path);
  const size_t slash = lower.find('/');
  return slash == std::string::npos ? lower : lower.substr(slash + 1);
}

std::string NodeGenerator::ModulePath(const std::string& token) const { return PathOfModule(package_, node_, token); }

std::string NodeGenerator::TypeModule(const schema::Package& package, const std::string& token) const {
  const std::string path = IsOwn(&package) ? ModulePath(token) : PathOfModule(package, NodeOptions::Of(package), token);
  if (path.empty()) return "";
  std::vector<std::string> parts;
  for (const std::string& segment : Split(path, '/')) {
    std::vector<std::string> words;
    for (const std::string& word : Split(segment, '.')) words.push_back(NodeIdentifier(word));
    parts.push_back(Joined(words, "."));
  }
  return Joined(parts, ".") + ".";
}

std::string NodeGenerator::ObjectName(const ShapedObject& object, bool input) const {
  const bool plain_names =
      IsOwn(object.object->package) ? node_.plain_names() : NodeOptions::Of(*object.object->package).plain_names();
  const bool of_function = input && modules_.UsesOf(object).function;
  const std::string name = codegen::UpperFirst(schema::NameOfToken(object.object->token));
  return object.takes_outputs && (!plain_names || of_function) ? name + "Args" : name;
}

std::string NodeGenerator::ObjectRef(const ShapedObject& object, bool input) const {
  const schema::Package& package = *object.object->package;
  const std::string module = TypeModule(package, object.object->token);
  const std::string name = module + ObjectName(object, input);
  if (IsOwn(&package)) return (input ? "inputs." : "outputs.") + name;
  return NodeAlias(package.name) + (input ? ".types.input." : ".types.output.") + name;
}

std::string NodeGenerator::EnumRef(const schema::EnumType& enumeration) const {
  const std::string name =
      TypeModule(*enumeration.package, enumeration.token) + codegen::UpperFirst(schema::NameOfToken(enumeration.token));
  return IsOwn(enumeration.package) ? "enums." + name : NodeAlias(enumeration.package->name) + "." + name;
}

std::string NodeGenerator::ResourceRef(const schema::Type& type) const {
  const schema::Package& package = *type.resource->package;
  const std::string name = NodeClassName(type.token);
  if (IsOwn(&package)) return name;
  return NodeAlias(package.name) + "." + TypeModule(package, type.token) + name;
}

bool NodeGenerator::HasNestedTypes() const {
  return std::any_of(modules_.all().begin(), modules_.all().end(),
                     [](const auto& entry) { return !entry.second->objects.empty(); });
}

// A file of a folder's name, or of one that every SDK has, would hide it.
std::string NodeGenerator::FileName(const Module& in, const std::string& name) const {
  bool taken = name == "index" || (name == "utilities" && in.path.empty()) || (name == "vars" && in.config);
  for (const Module* child : in.children) taken = taken || NodeChild(child->path) == name;
  return taken ? name + "_" : name;
}

}  // namespace kingpost::sdkgen
