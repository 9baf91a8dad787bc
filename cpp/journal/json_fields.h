// SPDX-License-Identifier: Apache-2.0
// Takes JSON apart one level deep, leaving the values as they are written. For text that we wrote ourselves and whose
// parts are decoded by others: states are decoded from their own text, at any depth, without being copied first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace kingpost {

class JsonFields {
 public:
  // The text must outlive the fields. Values are not checked beyond their extent.
  static Result<JsonFields> Parse(std::string_view object);

  bool Has(std::string_view name) const { return !Raw(name).empty(); }
  // The text of a value; "" if absent or null.
  std::string_view Raw(std::string_view name) const;
  int64_t Integer(std::string_view name, int64_t absent) const;
  std::string String(std::string_view name) const;  // "" if absent or no string
  bool True(std::string_view name) const { return Raw(name) == "true"; }

 private:
  std::vector<std::pair<std::string_view, std::string_view>> fields_;
};

}  // namespace kingpost
