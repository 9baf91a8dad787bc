// SPDX-License-Identifier: Apache-2.0
// new: whether the providers of a fresh project take the credentials at hand, where their schema asks for that
// (validateCredentialsOnNew). Best effort: what cannot be asked says nothing, and nothing fails. Main thread.
#pragma once

#include "cli/session/session.h"

namespace kingpost {

// A warning on standard output for each provider that refuses. It is given the stack's settings that are in clear.
void WarnOfCredentials(Session& session, const StackName& stack);

}  // namespace kingpost
