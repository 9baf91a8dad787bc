// SPDX-License-Identifier: Apache-2.0
// Where a value stands while values are converted (wire/convert.h). A place lies on the stack of who converts and leads
// to the one around it, so that it costs nothing until an error names it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kingpost {

struct ValuePlace {
  const ValuePlace* outer = nullptr;
  std::string_view key;  // of a property; of an element, not set
  size_t index = 0;
  bool is_element = false;

  ValuePlace Of(std::string_view property) const { return {this, property}; }
  ValuePlace At(size_t element) const { return {this, {}, element, true}; }

  // "a.b[0]", as property paths are written; "<root>" where there is none.
  std::string Path() const;
};

}  // namespace kingpost
