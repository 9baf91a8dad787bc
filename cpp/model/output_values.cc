// SPDX-License-Identifier: Apache-2.0
#include "model/output_values.h"

#include <algorithm>

namespace kingpost {

namespace {

bool Contains(const std::vector<Urn>& urns, const Urn& urn) {
  return std::find(urns.begin(), urns.end(), urn) != urns.end();
}

std::vector<Urn> Carried(const Value& value) {
  std::vector<Urn> urns;
  CollectOutputDependencies(value, &urns);
  return urns;
}

}  // namespace

OutputData OutputOf(const Value& value) {
  if (value.is_output()) return value.as_output();
  OutputData output;
  if (value.is_secret()) {
    output = OutputOf(value.as_secret().element);
    output.secret = true;
  } else if (value.is_computed()) {
    output.known = false;
  } else {
    output.element = value;
  }
  return output;
}

void AddUnique(std::vector<Urn>* urns, const Urn& urn) {
  if (!Contains(*urns, urn)) urns->push_back(urn);
}

PropertyMap WithDependencies(const PropertyMap& values, const PropertyDependencies& dependencies) {
  PropertyMap result = values;
  for (const auto& [key, urns] : dependencies) {
    const Value* value = values.Find(key);
    if (!value) continue;
    const std::vector<Urn> carried = Carried(*value);
    if (std::all_of(urns.begin(), urns.end(), [&](const Urn& urn) { return Contains(carried, urn); })) continue;
    OutputData output = OutputOf(*value);
    for (const Urn& urn : urns) AddUnique(&output.dependencies, urn);
    result.Set(key, Value::Output(std::move(output)));
  }
  return result;
}

void AddCarriedDependencies(const PropertyMap& values, PropertyDependencies* dependencies) {
  for (const auto& [key, value] : values) {
    std::vector<Urn>& urns = (*dependencies)[key];
    for (const Urn& urn : Carried(value)) AddUnique(&urns, urn);
  }
}

std::vector<Urn> CarriedDependencies(const PropertyMap& values) {
  std::vector<Urn> urns;
  for (const auto& [key, value] : values) {
    for (const Urn& urn : Carried(value)) AddUnique(&urns, urn);
  }
  return urns;
}

PropertyMap DependingOn(const PropertyMap& values, const std::vector<Urn>& urns) {
  if (urns.empty()) return values;
  PropertyMap::Entries entries;
  entries.reserve(values.size());
  for (const auto& [key, value] : values) {
    OutputData output = OutputOf(value);
    for (const Urn& urn : urns) AddUnique(&output.dependencies, urn);
    entries.push_back({key, Value::Output(std::move(output))});
  }
  return PropertyMap::FromEntries(std::move(entries));
}

}  // namespace kingpost
