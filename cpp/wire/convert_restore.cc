// SPDX-License-Identifier: Apache-2.0
// Restores the parts that a provider's answer lost on the way: the contents of assets (wire/convert.h).
#include <algorithm>
#include <unordered_map>

#include "wire/convert.h"

namespace kingpost {

namespace {

struct KnownContents {
  std::unordered_map<std::string, Value> assets, archives;  // by hash
};

void Collect(const PropertyMap& map, KnownContents* known);

void Collect(const Value& value, KnownContents* known) {
  switch (value.kind()) {
    case Value::Kind::kAsset:
      if (value.as_asset().has_contents) known->assets.emplace(value.as_asset().hash, value);
      return;
    case Value::Kind::kArchive:
      if (value.as_archive().has_contents) known->archives.emplace(value.as_archive().hash, value);
      return;
    case Value::Kind::kSecret:
      return Collect(value.as_secret().element, known);
    case Value::Kind::kObject:
      return Collect(value.as_object(), known);
    case Value::Kind::kArray:
      for (const Value& element : value.as_array()) Collect(element, known);
      return;
    default:
      return;
  }
}

void Collect(const PropertyMap& map, KnownContents* known) {
  for (const auto& [key, value] : map) Collect(value, known);
}

bool LacksContents(const PropertyMap& map);

bool LacksContents(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kAsset:
      return !value.as_asset().has_contents;
    case Value::Kind::kArchive:
      return !value.as_archive().has_contents;
    case Value::Kind::kSecret:
      return LacksContents(value.as_secret().element);
    case Value::Kind::kObject:
      return LacksContents(value.as_object());
    case Value::Kind::kArray:
      return std::any_of(value.as_array().begin(), value.as_array().end(),
                         [](const Value& element) { return LacksContents(element); });
    default:
      return false;
  }
}

bool LacksContents(const PropertyMap& map) {
  return std::any_of(map.begin(), map.end(), [](const Property& property) { return LacksContents(property.second); });
}

}  // namespace

PropertyMap DropPartialValues(const PropertyMap& map) {
  PropertyMap out = map;
  for (const auto& [key, value] : map) {
    if (ContainsUnknowns(value)) out.Erase(key);
  }
  return out;
}

PropertyMap RestoreAssetContents(const std::vector<PropertyMap>& originals, const PropertyMap& returned) {
  if (!LacksContents(returned)) return returned;
  KnownContents known;
  for (const PropertyMap& original : originals) Collect(original, &known);
  if (known.assets.empty() && known.archives.empty()) return returned;
  return Rewrite(returned, [&known](const Value& value) {
    if (value.is_asset() && !value.as_asset().has_contents) {
      auto found = known.assets.find(value.as_asset().hash);
      if (found != known.assets.end()) return found->second;
    }
    if (value.is_archive() && !value.as_archive().has_contents) {
      auto found = known.archives.find(value.as_archive().hash);
      if (found != known.archives.end()) return found->second;
    }
    return value;
  });
}

}  // namespace kingpost
