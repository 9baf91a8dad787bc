// SPDX-License-Identifier: Apache-2.0
// The snippets of a state as sources of registrations. The code that builds an operation adds them by this one
// function; nothing else in the engine knows of snippets.
#pragma once

#include "kingpost/engine.h"
#include "kingpost/registration_source.h"

namespace kingpost::snippets {

// One source for each snippet that the base of the operation records. Engine thread.
Result<RegistrationSources> FindSnippets(Loop& loop, const Operation& operation);

}  // namespace kingpost::snippets
