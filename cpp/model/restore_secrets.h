// SPDX-License-Identifier: Apache-2.0
// A provider's answer, with the secretness that the same values had in the question (rows 8.5, 5.14).
#pragma once

#include "model/value.h"

namespace kingpost {

// A secret in `known` is a secret in the result, key by key:
//
//   known {a: secret 1, o: {b: secret 2, c: 3}}    answer {a: 5, o: {b: 2, c: 3}}    {a: secret 5, o: {b: secret 2, c:
//   3}}
//
// Lists may come in another order. So one that holds no secret any more, or another number of values, is a secret as a
// whole; else its values are taken one by one. What the answer itself marks stays marked.
PropertyMap RestoreSecrets(const PropertyMap& answer, const PropertyMap& known);

}  // namespace kingpost
