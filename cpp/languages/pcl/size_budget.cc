// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/size_budget.h"

namespace kingpost::pcl {

namespace {

constexpr uint64_t kSizeMax = uint64_t{128} << 20;
constexpr uint64_t kSizeOfScalar = 16;

// Adds to `size` what `value` holds, and stops where that is too much.
void Count(const Value& value, uint64_t* size) {
  *size += kSizeOfScalar;
  switch (value.kind()) {
    case Value::Kind::kString:
      *size += value.as_string().size();
      return;
    case Value::Kind::kArray:
      for (const Value& element : value.as_array()) {
        if (*size > kSizeMax) return;
        Count(element, size);
      }
      return;
    case Value::Kind::kObject:
      for (const auto& [key, element] : value.as_object()) {
        if (*size > kSizeMax) return;
        *size += key.size();
        Count(element, size);
      }
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

Status SizeBudget::Add(const Value& part) {
  Count(part, &size_);
  return AddText(0);
}

Status SizeBudget::AddText(uint64_t bytes) {
  size_ += bytes;
  if (size_ <= kSizeMax) return Status::Ok();
  return ErrorAt(at_, "this comes to more than 128 MiB of values when all that it refers to is written out");
}

}  // namespace kingpost::pcl
