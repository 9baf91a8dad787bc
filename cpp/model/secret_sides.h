// SPDX-License-Identifier: Apache-2.0
// Both sides of a change are secret where one of them is. A plain value that becomes a secret may be the password in
// use, and a secret that becomes plain still has its former value. Pure.
#pragma once

#include "model/resource.h"
#include "model/value.h"

namespace kingpost {

bool IsSecret(const Value& value);  // a secret itself, not a value that holds one
// The content of a secret or of a known output; else the value itself.
const Value& Unwrapped(const Value& value);

// `properties` with a secret wherever `other` has one: at the same path, and for a secret text in a list, wherever
// else in that list the same text stands. Shares what stays as it is.
PropertyMap CopySecretMarks(const PropertyMap& other, const PropertyMap& properties);

// The two states as they may be shown side by side; either may be null. Copies only what it changes.
void ShareSecrets(StatePtr* old_state, StatePtr* new_state);

}  // namespace kingpost
