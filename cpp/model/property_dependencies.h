// SPDX-License-Identifier: Apache-2.0
// Which resources each property of a resource depends on. Copies share until one of them changes: the request, the
// goal, the record and the event have the same lists. Sorted by property.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/urn.h"

namespace kingpost {

class PropertyDependencies {
 public:
  using Entry = std::pair<std::string, std::vector<Urn>>;
  using Entries = std::vector<Entry>;

  PropertyDependencies() = default;
  PropertyDependencies(std::initializer_list<Entry> entries);  // in any order

  bool empty() const { return !entries_ || entries_->empty(); }
  size_t size() const { return entries_ ? entries_->size() : 0; }
  const Entry* begin() const { return entries_ ? entries_->data() : nullptr; }
  const Entry* end() const { return begin() + size(); }
  const Entry* find(std::string_view property) const;  // end() if there is none

  std::vector<Urn>& operator[](std::string_view property);
  void clear() { entries_.reset(); }
  Entries& Own();  // to be changed; in order

  friend bool operator==(const PropertyDependencies& a, const PropertyDependencies& b);

 private:
  std::shared_ptr<Entries> entries_;
};

}  // namespace kingpost
