// SPDX-License-Identifier: Apache-2.0
#include "wire/value_place.h"

#include <algorithm>

#include "model/property_path.h"

namespace kingpost {

std::string ValuePlace::Path() const {
  std::vector<PropertyPath::Element> elements;
  for (const ValuePlace* place = this; place; place = place->outer) {
    if (!place->outer && place->key.empty()) break;  // the map itself
    if (place->is_element) {
      elements.emplace_back(static_cast<int>(place->index));
    } else {
      elements.emplace_back(std::string(place->key));
    }
  }
  if (elements.empty()) return "<root>";
  std::reverse(elements.begin(), elements.end());
  return PropertyPath(std::move(elements)).str();
}

}  // namespace kingpost
