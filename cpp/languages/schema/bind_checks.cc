// SPDX-License-Identifier: Apache-2.0
// Checks of a schema as a whole: tokens, names that collide, types that cannot be made
// (languages/schema/binder.h).
#include <algorithm>
#include <set>

#include "base/encoding.h"
#include "base/json_access.h"
#include "base/pattern.h"
#include "base/text.h"
#include "languages/schema/binder.h"

namespace kingpost::schema {

namespace {

using Json = nlohmann::json;

constexpr char kNamePattern[] = "^[a-zA-Z][-a-zA-Z0-9_]*$";
constexpr char kNamespacePattern[] = "^([a-z][a-z0-9]*)(-[a-z0-9]+)*$";
constexpr char kTokenPattern[] = "^[a-zA-Z][-a-zA-Z0-9_]*:([^0-9][a-zA-Z0-9._/-]*)?:[^0-9][a-zA-Z0-9._/]*$";
constexpr char kFunctionPattern[] = "^[a-zA-Z][-a-zA-Z0-9_]*:([^0-9][a-zA-Z0-9._/-]*)?:[^0-9][a-zA-Z0-9._/-]*$";

// "cpucount1" of "CPU_count-1": without what stands before the first letter.
std::string ReducedName(const std::string& name) {
  std::string reduced;
  for (const char c : Lowered(name)) {
    const bool letter = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    if (letter || (digit && !reduced.empty())) reduced += c;
  }
  return reduced;
}

// The first circle of objects that each need the next, from this one on; it begins and ends with the same. Empty if
// there is none. The path is kept here, not on the stack, which has room for some ten thousand. Types in `harmless`
// lead to no circle, and are visited once, however many ways lead to them.
std::vector<const ObjectType*> CircleFrom(const ObjectType& object, std::set<const ObjectType*>* harmless) {
  std::vector<std::pair<const ObjectType*, size_t>> path = {{&object, 0}};  // with the next of its properties
  std::set<const ObjectType*> on_path = {&object};
  while (!path.empty()) {
    auto& [last, next] = path.back();
    if (next == last->properties.size()) {
      harmless->insert(last);
      on_path.erase(last);
      path.pop_back();
      continue;
    }
    const Property& property = last->properties[next++];
    const ObjectType* needed = property.required ? property.type->object : nullptr;
    if (!needed || harmless->count(needed) > 0) continue;
    path.emplace_back(needed, 0);
    if (on_path.insert(needed).second) continue;
    std::vector<const ObjectType*> circle;
    for (const auto& [one, unused] : path) {
      if (!circle.empty() || one == needed) circle.push_back(one);
    }
    return circle;
  }
  return {};
}

}  // namespace

void Binder::CheckName(const std::string& path, const char* kind, const std::string& name) {
  for (const char c : name) {
    if (static_cast<unsigned char>(c) > ' ' && c != 0x7f) continue;
    Error(path, std::string(kind) + " name must contain only printable, non-whitespace characters (found U+00" +
                    HexEncode(std::string_view(&c, 1)) + ")");
    break;
  }
  const bool property = kind == std::string("property");
  if (property ? name == "pulumi" : Split(name, ':').size() == 3 && Split(name, ':')[2] == "pulumi") {
    Error(path, property ? "pulumi is a reserved property name"
                         : std::string("pulumi is a reserved name, cannot name ") + kind);
  }
}

// Languages derive names of their own, which should differ still where one keeps no more than letters and digits.
void Binder::CheckPropertyNames(const std::string& path, const Json& properties) {
  std::map<std::string, std::string> reduced_names;
  for (const auto& [name, property] : properties.items()) {
    const std::string at = path + "/" + PathPart(name);
    CheckName(at, "property", name);
    const std::string reduced = ReducedName(name);
    if (reduced.empty()) {
      Error(at, "property name must contain an ASCII letter");
    } else if (const auto [other, first] = reduced_names.emplace(reduced, name); !first) {
      Warn(at, "property name conflicts with " + Quote(other->second) + ": both reduce to " + Quote(reduced));
    }
  }
}

void Binder::CheckToken(const std::string& section, const std::string& token) {
  const std::string path = MemberPath(section, token);
  const bool is_function = section == "functions";
  static const Pattern* const kToken = new Pattern(kTokenPattern);
  static const Pattern* const kFunction = new Pattern(kFunctionPattern);
  if (!(is_function ? kFunction : kToken)->MatchesWhole(token)) {
    Error(path, std::string("does not match pattern '") + (is_function ? kFunctionPattern : kTokenPattern) + "'");
  }
  const std::vector<std::string> parts = Split(token, ':');
  if (parts.size() != 3) {
    Error(path, "invalid token '" + token + "' (should have three parts)");
    return;
  }
  std::set<std::string> allowed = {package_->name};
  for (const Json& name : ListOf(document_, "allowedPackageNames")) allowed.insert(TextIn(name));
  const bool of_provider = is_function && parts[0] == "pulumi" && parts[1] == "providers";
  if (allowed.count(parts[0]) == 0 && !of_provider) {
    Error(path, "invalid token '" + token + "' (must have package name '" + package_->name + "')");
  }
  const std::string module = package_->module_pattern ? package_->ModuleOf(token) : parts[1];
  if ((module.empty() || Lowered(module) == "index") && Lowered(parts[2]) == "provider") {
    Error(path, "invalid token '" + token + "' (provider is a reserved word for the root module)");
  }
  if (module.starts_with("index/")) {
    Error(path, "invalid token '" + token + "' (nested modules under index are not allowed)");
  }
}

void Binder::ReadModuleFormat() {
  const std::string format = TextOf(Section("meta"), "moduleFormat");
  if (format.empty()) return;
  auto pattern = Pattern::Compile(format);
  if (pattern.ok()) {
    package_->module_pattern = std::move(*pattern);
  } else {
    Error("#/meta/moduleFormat", "failed to compile regex: " + pattern.status().message());
  }
}

void Binder::CheckTokens() {
  const std::string& name = package_->name;
  if (!name.empty() && !Pattern(kNamePattern).MatchesWhole(name)) {
    Error("#/name", std::string("does not match pattern '") + kNamePattern + "'");
  }
  if (name == "pulumi" || name == "input") {
    Error("#/name", "invalid package name '" + name + "' (package names 'pulumi' and 'input' are reserved)");
  }
  const std::string& name_space = package_->name_space;
  if (!name_space.empty() && !Pattern(kNamespacePattern).MatchesWhole(name_space)) {
    Error("#/namespace", std::string("does not match pattern '") + kNamespacePattern + "'");
  }
  for (const char* section : {"resources", "types", "functions"}) {
    for (const auto& [token, spec] : Section(section).items()) CheckToken(section, token);
  }
}

// Programs of some languages tell neither capitals apart, nor parts of the module that its format leaves out.
void Binder::CheckDuplicates() {
  std::map<std::string, std::vector<std::string>> paths;
  std::set<std::string> modules;
  std::vector<std::pair<std::string, std::string>> members;  // path, lowered token
  for (const char* section : {"resources", "functions"}) {
    for (const auto& [token, spec] : Section(section).items()) {
      const std::string path = MemberPath(section, token);
      std::string canonical = token;
      if (std::vector<std::string> parts = Split(token, ':'); parts.size() == 3) {
        if (const std::string module = package_->ModuleOf(token); !module.empty()) parts[1] = module;
        canonical = Lowered(Joined(parts, ":"));
      }
      for (const std::string& form : std::set<std::string>{Lowered(token), canonical}) {
        paths[form].push_back(path);
        members.emplace_back(path, form);
      }
      const std::string module = package_->ModuleOf(canonical);
      for (size_t end = 0; !module.empty() && end != std::string::npos;) {
        end = module.find('/', end + 1);
        modules.insert(module.substr(0, end));
      }
    }
  }
  for (auto& [token, places] : paths) {
    if (places.size() < 2) continue;
    std::ranges::sort(places);
    for (const std::string& place : places) {
      std::vector<std::string> others = places;
      std::erase(others, place);
      Error(place, "multiple tokens map to " + token, "other paths(s) are " + Joined(others, ", "));
    }
  }
  for (const auto& [path, token] : members) {
    const std::vector<std::string> parts = Split(token, ':');
    if (parts.size() != 3) continue;
    const std::string module = parts[1] == "index" ? parts[2] : parts[1] + "/" + parts[2];
    if (modules.count(module) > 0) Error(path, "token collides with module " + module);
  }
}

void Binder::CheckCycles() {
  std::set<const ObjectType*> harmless, told;
  for (const ObjectType* object : package_->objects) {
    if (told.count(object) > 0) continue;
    const auto circle = CircleFrom(*object, &harmless);
    std::vector<std::string> tokens;
    for (const ObjectType* one : circle) {
      tokens.push_back(one->token);
      told.insert(one);
    }
    if (circle.empty()) continue;
    Error(MemberPath("types", object->token),
          "object type has unsatisfiable required-property cycle: " + Joined(tokens, " -> "));
  }
}

}  // namespace kingpost::schema
