// SPDX-License-Identifier: Apache-2.0
// What values of types look like on the wire, where no value says of which type it is: a number is a number, an object
// is the names that it has. Pure.
#pragma once

#include "languages/schema/package.h"

namespace kingpost::schema {

// Whether each value of the union can only be of one of its types. {kind: "circle", radius} and {kind: "square", side}
// can be told apart by the constants of `kind`; an integer and a number cannot, nor two lists, as both may be empty.
bool IsToldApartOnTheWire(const Type& type);

}  // namespace kingpost::schema
