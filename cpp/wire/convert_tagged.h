// SPDX-License-Identifier: Apache-2.0
// Objects that carry the signature key, once their members have been read. Used by convert_from_wire.cc only.
#pragma once

#include <optional>

#include "wire/convert.h"
#include "wire/value_place.h"

namespace kingpost {

// An unknown as the options want it: computed, left out, or an error.
Result<std::optional<Value>> ReadUnknown(const ValuePlace& place, const WireOptions& options);

// `object` has the signature key. Nullopt if what it stands for is left out.
Result<std::optional<Value>> ReadTagged(const ValuePlace& place, const PropertyMap& object, const WireOptions& options);

}  // namespace kingpost
