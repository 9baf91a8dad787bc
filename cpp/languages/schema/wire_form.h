// SPDX-License-Identifier: Apache-2.0
// The form of values of types on the wire, where no value has its type: a number is a number, an object is its names.
// Pure.
#pragma once

#include "languages/schema/package.h"

namespace kingpost::schema {

// Whether each value of the union can only be of one of its types. The constants of `kind` distinguish {kind:
// "circle", radius} and {kind: "square", side}. An integer and a number cannot be distinguished, nor two lists, as
// both may be empty.
bool IsDistinguishableOnWire(const Type& type);

}  // namespace kingpost::schema
