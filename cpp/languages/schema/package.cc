// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/package.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"

namespace kingpost::schema {

namespace {

// The element type of a property, inside of its lists and maps.
const ObjectType* ObjectWithin(const Property& property) {
  const Type* inner = property.type;
  while (inner->is_collection()) inner = inner->element;
  return inner->kind == Type::Kind::kObject ? inner->object : nullptr;
}

// Types may refer to each other in too many ways to follow them all. Only those that lead to a property which
// replaces are.
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

}  // namespace

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

const Properties& PropertiesOf(const ObjectType* object) {
  static const Properties none;
  return object ? object->properties.get() : none;
}

const Function* Resource::FindMethod(const std::string& name) const {
  const auto found = std::ranges::find(methods, name, &Method::name);
  return found == methods.end() ? nullptr : found->function;
}

const Property* FindProperty(const Properties& properties, const std::string& name) {
  const auto found = std::ranges::find(properties, name, &Property::name);
  return found == properties.end() ? nullptr : &*found;
}

Type::Kind Type::plain_kind() const {
  if (kind == Kind::kEnum) return enumeration->element;
  if (kind == Kind::kToken) return default_type ? default_type->kind : Kind::kAny;
  return kind == Kind::kJson ? Kind::kAny : kind;
}

const Type& PlainType(Type::Kind kind) {
  using Kind = Type::Kind;
  static const Type kPlain[] = {{Kind::kBool},    {Kind::kInteger}, {Kind::kNumber}, {Kind::kString},
                                {Kind::kArchive}, {Kind::kAsset},   {Kind::kJson},   {Kind::kAny}};
  KP_ASSERT(kind <= Kind::kAny, "lists, maps and types with a name are more than their kind");
  return kPlain[static_cast<size_t>(kind)];
}

const char* NameOf(Type::Kind kind) {
  constexpr const char* kNames[] = {"boolean", "integer", "number", "string", "archive", "asset"};
  return kind <= Type::Kind::kAsset ? kNames[static_cast<size_t>(kind)] : "any";
}

std::string TypeText(const Type& type) {
  std::vector<std::string> parts;
  if (type.kind == Type::Kind::kArray) return "List<" + TypeText(*type.element) + ">";
  if (type.kind == Type::Kind::kMap) return "Map<" + TypeText(*type.element) + ">";
  if (type.kind == Type::Kind::kUnion) {
    for (const Type* element : type.elements) parts.push_back(TypeText(*element));
    return "Union<" + Joined(parts, ", ") + ">";
  }
  if (!type.object || !type.token.empty()) return type.token.empty() ? NameOf(type.kind) : type.token;
  for (const Property& property : type.object->properties) {
    parts.push_back(property.name + ": " + TypeText(*property.type));
  }
  return "{" + Joined(parts, ", ") + "}";
}

Value ValueOf(const Constant& constant) {
  if (const auto* number = std::get_if<int64_t>(&constant)) return Value(static_cast<double>(*number));
  if (const auto* number = std::get_if<double>(&constant)) return Value(*number);
  if (const auto* flag = std::get_if<bool>(&constant)) return Value(*flag);
  return Value(std::get<std::string>(constant));
}

std::vector<std::string> ReplaceOnChangesPaths(const Resource& resource) {
  ReplacingPaths replacing;
  replacing.Collect(resource.outputs, "");
  return std::move(replacing.paths);
}

}  // namespace kingpost::schema
