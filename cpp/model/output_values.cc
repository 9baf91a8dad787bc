// SPDX-License-Identifier: Apache-2.0
#include "model/output_values.h"

#include <algorithm>

#include "model/value_rewrite.h"

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

OutputData OutputOf(const Value& value) {
  if (value.is_output()) return value.as_output();
  OutputData output;
  output.element = value;
  return output;
}

}  // namespace

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

PropertyMap UnknownsAndSecretsAsOutputs(const PropertyMap& values) {
  return Rewrite(values, [](const Value& value) {
    if (!value.is_computed() && !value.is_secret()) return value;
    OutputData output;
    output.known = !value.is_computed();
    if (value.is_secret()) {
      output = OutputOf(value.as_secret().element);
      output.secret = true;
    }
    return Value::Output(std::move(output));
  });
}

void AddCarriedDependencies(const PropertyMap& values, PropertyDependencies* dependencies) {
  for (const auto& [key, value] : values) {
    std::vector<Urn>& urns = (*dependencies)[key];
    for (const Urn& urn : Carried(value)) AddUnique(&urns, urn);
  }
}

}  // namespace kingpost
