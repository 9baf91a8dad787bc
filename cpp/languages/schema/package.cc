// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/package.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_access.h"

namespace kingpost::schema {

namespace {

// What a property holds, or the lists and maps that it is.
const ObjectType* ObjectWithin(const Property& property) {
  const Type* inner = property.type;
  while (inner->kind == Type::Kind::kArray || inner->kind == Type::Kind::kMap) inner = inner->element;
  return inner->kind == Type::Kind::kObject ? inner->object : nullptr;
}

// Types may refer to each other in so many ways that nobody could follow them all. Only those that lead to a property
// which replaces are.
class ReplacingPaths {
 public:
  // A property that holds the type again is looked into once.
  void Collect(const Properties& properties, const std::string& before) {
    for (const Property& property : properties) {
      std::string path = before + property.name;
      if (property.type->kind == Type::Kind::kArray) path += "[*]";
      if (property.type->kind == Type::Kind::kMap) path += ".*";
      if (property.replace_on_changes) {
        paths.push_back(path);
        continue;
      }
      const ObjectType* object = ObjectWithin(property);
      if (!object || !LeadsToOne(*object) || !above_.insert(object).second) continue;
      Collect(object->properties, path + ".");
      above_.erase(object);
    }
  }

  std::vector<std::string> paths;

 private:
  bool LeadsToOne(const ObjectType& object) {
    const auto [known, is_new] = leads_.try_emplace(&object, false);
    if (!is_new) return known->second;
    std::set<const ObjectType*> seen = {&object};
    std::vector<const ObjectType*> ahead = {&object};
    while (!ahead.empty()) {
      const ObjectType* next = ahead.back();
      ahead.pop_back();
      for (const Property& property : next->properties) {
        if (property.replace_on_changes) return leads_[&object] = true;
        const ObjectType* inner = ObjectWithin(property);
        if (inner && seen.insert(inner).second) ahead.push_back(inner);
      }
    }
    return false;
  }

  std::set<const ObjectType*> above_;
  std::map<const ObjectType*, bool> leads_;
};

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
  if (!module_pattern) return module == "index" ? "" : module;
  const auto groups = module_pattern->Find(module);
  if (!groups || groups->size() < 2) return "";
  return groups->at(1) == "index" ? "" : groups->at(1);
}

const ObjectType* Package::FindObject(const std::string& token) const { return FindByToken(objects, token); }
const EnumType* Package::FindEnum(const std::string& token) const { return FindByToken(enums, token); }
const Function* Package::FindFunction(const std::string& token) const { return FindByToken(functions, token); }
const Resource* Package::FindResource(const std::string& token) const {
  return provider && provider->token == token ? provider : FindByToken(resources, token);
}

std::vector<std::string> ReplaceOnChangesPaths(const Resource& resource) {
  ReplacingPaths replacing;
  replacing.Collect(resource.outputs, "");
  return std::move(replacing.paths);
}

std::string NameOfToken(const std::string& token) { return token.substr(token.rfind(':') + 1); }

bool IsProviderToken(const std::string& token) { return token.starts_with("pulumi:providers:"); }

}  // namespace kingpost::schema
