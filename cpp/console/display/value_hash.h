// SPDX-License-Identifier: Apache-2.0
// A number for a value: equal values have equal numbers, whether they are secret or not. Pure.
#pragma once

#include <cstddef>

#include "model/value.h"

namespace kingpost {

size_t HashOf(const Value& value);

}  // namespace kingpost
