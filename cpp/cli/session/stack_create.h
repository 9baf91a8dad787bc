// SPDX-License-Identifier: Apache-2.0
// Making a stack, as `stack init`, `stack select --create` and the menu of stacks do.
#pragma once

#include "cli/session/session.h"

namespace kingpost {

// Fails if it exists. Its secrets are set up with it: under a passphrase, or the key that the URL `secrets_provider`
// names.
Status CreateStack(Session& session, const StackName& stack, bool select, const std::string& secrets_provider = "");

// Fails, with what is possible, unless this program can encrypt with it. "" and "default" are the passphrase.
Status CheckSecretsProvider(const std::string& provider);

}  // namespace kingpost
