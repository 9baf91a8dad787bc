// SPDX-License-Identifier: Apache-2.0
// A stack's secrets under another passphrase or a key service: those of its state, and those of its settings.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "operation/held_stack.h"
#include "operation/settings_secrets.h"

namespace kingpost {

struct SecretsChange {
  std::string provider;  // "passphrase", or the URL of a key service
  std::shared_ptr<PassphraseSource> new_passphrase;
  StackConfig* settings = nullptr;                   // none, where a stack has no file of them
  std::shared_ptr<SecretsManager> settings_secrets;  // none: that of the state
  std::function<void()> before_writing = [] {};
};

// The secrets manager from now on. All that can fail for want of the old passphrase or of a key service is done
// before anything is written. Blocking.
Result<std::shared_ptr<SecretsManager>> ChangeSecrets(HeldStack* held, const SecretsChange& change);

}  // namespace kingpost
