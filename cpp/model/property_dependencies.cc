// SPDX-License-Identifier: Apache-2.0
#include "model/property_dependencies.h"

#include <algorithm>

namespace kingpost {

namespace {

bool IsBefore(const PropertyDependencies::Entry& entry, std::string_view property) { return entry.first < property; }

}  // namespace

PropertyDependencies::PropertyDependencies(std::initializer_list<Entry> entries) {
  for (const Entry& entry : entries) (*this)[entry.first] = entry.second;
}

const PropertyDependencies::Entry* PropertyDependencies::find(std::string_view property) const {
  const Entry* found = std::lower_bound(begin(), end(), property, IsBefore);
  return found != end() && found->first == property ? found : end();
}

PropertyDependencies::Entries& PropertyDependencies::Own() {
  if (!entries_) {
    entries_ = std::make_shared<Entries>();
  } else if (entries_.use_count() > 1) {
    entries_ = std::make_shared<Entries>(*entries_);
  }
  return *entries_;
}

std::vector<Urn>& PropertyDependencies::operator[](std::string_view property) {
  Entries& own = Own();
  const auto place = std::lower_bound(own.begin(), own.end(), property, IsBefore);
  if (place != own.end() && place->first == property) return place->second;
  return own.emplace(place, property, std::vector<Urn>())->second;
}

bool operator==(const PropertyDependencies& a, const PropertyDependencies& b) {
  return a.entries_ == b.entries_ || std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace kingpost
