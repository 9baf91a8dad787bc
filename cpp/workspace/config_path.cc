// SPDX-License-Identifier: Apache-2.0
// Getting, setting and removing configuration inside structured values, by property paths.
#include "workspace/config_value.h"

namespace kingpost {
namespace {

using Json = nlohmann::json;
using Elements = std::vector<PropertyPath::Element>;

struct KeyPath {
  std::string key;  // the full key
  Elements rest;    // below it
};

Status ReservedShape() { return {Code::kInvalidArgument, "maps with the single key \"secure\" are reserved"}; }

Result<KeyPath> SplitKey(const ConfigKey& key, bool path) {
  if (!path) return KeyPath{key.str(), {}};
  const Result<PropertyPath> parsed = PropertyPath::Parse(key.name);
  if (!parsed.ok()) return parsed.status().Wrap("invalid config key path");
  const Elements& elements = parsed->elements();
  if (elements.empty()) return Status(Code::kInvalidArgument, "empty config key path");
  const std::string* first = std::get_if<std::string>(&elements[0]);
  if (!first) return Status(Code::kInvalidArgument, "first path segment of config key must be a string");
  if (first->empty()) return Status(Code::kInvalidArgument, "config key is empty");
  for (const PropertyPath::Element& element : elements) {
    if (std::holds_alternative<PropertyPath::Wildcard>(element)) {
      return Status(Code::kInvalidArgument, "the config key path '" + key.name + "' must not hold wildcards");
    }
  }
  return KeyPath{ConfigKey{key.space, *first}.str(), Elements(elements.begin() + 1, elements.end())};
}

// Null if there is nothing at the element.
const Json* Step(const Json& at, const PropertyPath::Element& element) {
  if (const std::string* name = std::get_if<std::string>(&element)) {
    return at.is_object() && !IsSecure(at) && at.contains(*name) ? &at[*name] : nullptr;
  }
  const int index = std::get<int>(element);
  return at.is_array() && index >= 0 && static_cast<size_t>(index) < at.size() ? &at[static_cast<size_t>(index)]
                                                                               : nullptr;
}

Json NewContainer(const PropertyPath::Element& element) {
  return std::holds_alternative<int>(element) ? Json::array() : Json::object();
}

std::string Shown(const KeyPath& path, size_t depth) {
  return path.key +
         PropertyPath(Elements(path.rest.begin(), path.rest.begin() + static_cast<std::ptrdiff_t>(depth))).str();
}

Status SetAt(Json* at, const KeyPath& path, size_t depth, const Json& value) {
  if (depth == path.rest.size()) {
    *at = value;
    return Status::Ok();
  }
  const PropertyPath::Element& element = path.rest[depth];
  const bool container = at->is_structured() && !IsSecure(*at);
  // A plain value at the first level gives way to a structure; deeper ones are the user's mistake.
  if (at->is_null() || (!container && depth == 0)) *at = NewContainer(element);
  if (const std::string* name = std::get_if<std::string>(&element)) {
    if (!at->is_object() || IsSecure(*at)) {
      return {Code::kInvalidArgument, Shown(path, depth) + ": expected a map, to set '" + *name + "' in it"};
    }
    const bool last = depth + 1 == path.rest.size();
    if (last && *name == "secure" && value.is_string() &&
        (at->empty() || (at->size() == 1 && at->contains("secure")))) {
      return ReservedShape();
    }
    return SetAt(&(*at)[*name], path, depth + 1, value);
  }
  const int index = std::get<int>(element);
  if (!at->is_array()) return {Code::kInvalidArgument, Shown(path, depth) + ": expected an array"};
  if (index < 0 || static_cast<size_t>(index) > at->size()) {
    return {Code::kInvalidArgument, Shown(path, depth) + ": array index " + std::to_string(index) +
                                        " is out of range; the next free one is " + std::to_string(at->size())};
  }
  if (static_cast<size_t>(index) == at->size()) at->push_back(nullptr);
  return SetAt(&(*at)[static_cast<size_t>(index)], path, depth + 1, value);
}

Status RemoveAt(Json* at, const KeyPath& path, size_t depth) {
  const PropertyPath::Element& element = path.rest[depth];
  if (!Step(*at, element)) return Status::Ok();
  const std::string* name = std::get_if<std::string>(&element);
  const int* index = std::get_if<int>(&element);
  if (depth + 1 < path.rest.size()) {
    return RemoveAt(name ? &(*at)[*name] : &(*at)[static_cast<size_t>(*index)], path, depth + 1);
  }
  if (index) {
    at->erase(static_cast<size_t>(*index));
    return Status::Ok();
  }
  Json rest = *at;
  rest.erase(*name);
  if (IsSecure(rest)) return ReservedShape();
  *at = std::move(rest);
  return Status::Ok();
}

}  // namespace

Result<std::optional<Json>> GetConfig(const ConfigMap& config, const ConfigKey& key, bool path) {
  const Result<KeyPath> split = SplitKey(key, path);
  if (!split.ok()) return split.status();
  const auto found = config.find(split->key);
  const Json* at = found == config.end() ? nullptr : &found->second;
  for (size_t i = 0; at && i < split->rest.size(); ++i) at = Step(*at, split->rest[i]);
  return at ? std::optional<Json>(*at) : std::nullopt;
}

Status SetConfig(ConfigMap* config, const ConfigKey& key, const Json& value, bool path) {
  const Result<KeyPath> split = SplitKey(key, path);
  if (!split.ok()) return split.status();
  const auto found = config->find(split->key);
  Json root = found == config->end() ? Json() : found->second;
  const Status set = SetAt(&root, *split, 0, value);
  if (set.ok()) (*config)[split->key] = std::move(root);
  return set;
}

Status RemoveConfig(ConfigMap* config, const ConfigKey& key, bool path) {
  const Result<KeyPath> split = SplitKey(key, path);
  if (!split.ok()) return split.status();
  const auto found = config->find(split->key);
  if (found == config->end()) return Status::Ok();
  if (split->rest.empty()) {
    config->erase(found);
    return Status::Ok();
  }
  return RemoveAt(&found->second, *split, 0);
}

}  // namespace kingpost
