// SPDX-License-Identifier: Apache-2.0
#include "console/display/value_hash.h"

#include <functional>

namespace kingpost {

namespace {

size_t Mixed(size_t hash, size_t next) { return hash ^ (next + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2)); }

}  // namespace

size_t HashOf(const Value& value) {
  size_t hash = static_cast<size_t>(value.kind());
  switch (value.kind()) {
    case Value::Kind::kBool:
      return Mixed(hash, value.as_bool() ? 1 : 0);
    case Value::Kind::kNumber:
      return Mixed(hash, std::hash<double>()(value.as_number()));
    case Value::Kind::kString:
      return Mixed(hash, std::hash<std::string>()(value.as_string()));
    case Value::Kind::kArray:
      for (const Value& item : value.as_array()) hash = Mixed(hash, HashOf(item));
      return hash;
    case Value::Kind::kObject:
      for (const auto& [key, item] : value.as_object())
        hash = Mixed(Mixed(hash, std::hash<std::string>()(key)), HashOf(item));
      return hash;
    case Value::Kind::kSecret:
      return HashOf(value.as_secret().element);
    case Value::Kind::kOutput:
      return value.as_output().known ? HashOf(value.as_output().element) : hash;
    default:
      return hash;  // rare in lists, and dear to look into
  }
}

}  // namespace kingpost
