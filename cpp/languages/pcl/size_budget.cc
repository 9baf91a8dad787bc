// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/size_budget.h"

namespace kingpost::pcl {

namespace {

// Adds to `size` what `value` holds, and stops where that is too much.
void Count(const Value& value, uint64_t* size) {
  *size += kScalarSize;
  switch (value.kind()) {
    case Value::Kind::kString:
      *size += value.as_string().size();
      return;
    case Value::Kind::kArray:
      for (const Value& element : value.as_array()) {
        if (*size > kValueSizeMax) return;
        Count(element, size);
      }
      return;
    case Value::Kind::kObject:
      for (const auto& [key, element] : value.as_object()) {
        if (*size > kValueSizeMax) return;
        *size += key.size();
        Count(element, size);
      }
      return;
    case Value::Kind::kAsset:
      *size += value.as_asset().text.size();
      return;
    case Value::Kind::kSecret:
      return Count(value.as_secret().element, size);
    case Value::Kind::kOutput:
      return Count(value.as_output().element, size);
    default:
      return;
  }
}

}  // namespace

uint64_t SizeOf(const Value& value) {
  uint64_t size = 0;
  Count(value, &size);
  return size;
}

}  // namespace kingpost::pcl
