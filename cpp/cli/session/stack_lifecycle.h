// SPDX-License-Identifier: Apache-2.0
// Stacks as they come and go: `stack init`, `stack select --create`, `new` and the menu of stacks make them, `stack rm`
// and `destroy --remove` take them away.
#pragma once

#include <string>

#include "cli/session/session.h"

namespace kingpost {

// Fails if the stack belongs to another project than the one around: its program would replace the other's resources.
Status CheckProject(Session& session, const StackName& stack);

// Fails if it exists. Its secrets are set up with it: under a passphrase, or the key that the URL `secrets_provider`
// names.
Status CreateStack(Session& session, const StackName& stack, bool select, const std::string& secrets_provider = "");

// Fails, with what is possible, unless this program can encrypt with it. "" and "default" are the passphrase.
Status CheckSecretsProvider(const std::string& provider);

struct RemoveStackOptions {
  bool force = false;  // also with resources in it
  bool preserve_config = false;
  bool remove_backups = false;
};
Status RemoveStack(Session& session, const StackName& stack, const RemoveStackOptions& options);

}  // namespace kingpost
