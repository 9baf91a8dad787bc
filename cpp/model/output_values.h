// SPDX-License-Identifier: Apache-2.0
// Output values and the dependencies that they carry, for receivers of both: transforms, remote components and calls
// (rows 1.21, 1.28, 1.33). Pure; any thread.
#pragma once

#include <vector>

#include "model/resource.h"

namespace kingpost {

void AddUnique(std::vector<Urn>* urns, const Urn& urn);

// Each property that depends on something becomes an output that carries it. One that carries all of it already stays.
//   {a: 1, b: 2} with a -> [urn]      {a: output(1, [urn]), b: 2}
PropertyMap WithDependencies(const PropertyMap& values, const PropertyDependencies& dependencies);

// A value as an output: of a secret or an unknown, the output is.
OutputData OutputOf(const Value& value);

// Adds the dependencies of the values to the declared ones; every property gets an entry.
void AddCarriedDependencies(const PropertyMap& values, PropertyDependencies* dependencies);

// The dependencies of all the values, each once.
std::vector<Urn> CarriedDependencies(const PropertyMap& values);

// Each property becomes an output that depends on `urns`, besides what it depends on already.
PropertyMap DependingOn(const PropertyMap& values, const std::vector<Urn>& urns);

}  // namespace kingpost
