// SPDX-License-Identifier: Apache-2.0
// Making a stack, as `stack init`, `stack select --create` and the menu of stacks do.
#pragma once

#include "cli/session.h"

namespace kingpost {

// Fails if it exists. Its secrets are set up with it.
Status CreateStack(Session& session, const StackName& stack, bool select);

// Fails, with what is possible, unless this program can encrypt with it. "" and "default" are the passphrase.
Status CheckSecretsProvider(Session& session, const std::string& provider);

}  // namespace kingpost
