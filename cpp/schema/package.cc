// SPDX-License-Identifier: Apache-2.0
#include "schema/package.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/json_access.h"

namespace kingpost::schema {

namespace {

// A property that holds the type again is looked into once.
void CollectReplacing(const Properties& properties, const std::string& before, std::set<const ObjectType*>* above,
                      std::vector<std::string>* paths) {
  for (const Property& property : properties) {
    std::string path = before + property.name;
    if (property.type->kind == Type::Kind::kArray) path += "[*]";
    if (property.type->kind == Type::Kind::kMap) path += ".*";
    if (property.replace_on_changes) {
      paths->push_back(path);
      continue;
    }
    const Type* inner = property.type;
    while (inner->kind == Type::Kind::kArray || inner->kind == Type::Kind::kMap) inner = inner->element;
    if (inner->kind != Type::Kind::kObject || !above->insert(inner->object).second) continue;
    CollectReplacing(inner->object->properties, path + ".", above, paths);
    above->erase(inner->object);
  }
}

template <class T>
const T* FindByToken(const std::vector<const T*>& all, const std::string& token) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const T* one) { return one->token == token; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace

nlohmann::json Package::LanguageOptions(const std::string& name) const {
  return language ? kingpost::ObjectOf(*language, name) : nlohmann::json::object();
}

std::string Package::ModuleOf(const std::string& token) const {
  const size_t first = token.find(':'), last = token.rfind(':');
  if (first == std::string::npos || first == last) return "";
  const std::string module = token.substr(first + 1, last - first - 1);
  if (token.starts_with("pulumi:") && (module == "pulumi" || module == "providers")) return "";
  std::smatch match;
  if (module_format == "(.*)") return module == "index" ? "" : module;
  if (!std::regex_search(module, match, std::regex(module_format)) || match.size() < 2) return "";
  return match[1] == "index" ? "" : match[1].str();
}

const ObjectType* Package::FindObject(const std::string& token) const { return FindByToken(objects, token); }
const EnumType* Package::FindEnum(const std::string& token) const { return FindByToken(enums, token); }
const Function* Package::FindFunction(const std::string& token) const { return FindByToken(functions, token); }
const Resource* Package::FindResource(const std::string& token) const {
  return provider && provider->token == token ? provider : FindByToken(resources, token);
}

std::vector<std::string> ReplaceOnChangesPaths(const Resource& resource) {
  std::vector<std::string> paths;
  std::set<const ObjectType*> above;
  CollectReplacing(resource.outputs, "", &above, &paths);
  return paths;
}

std::string NameOfToken(const std::string& token) { return token.substr(token.rfind(':') + 1); }

bool IsProviderToken(const std::string& token) { return token.starts_with("pulumi:providers:"); }

}  // namespace kingpost::schema
