// SPDX-License-Identifier: Apache-2.0
// Derived keys that the kernel keeps for the user's next commands, if KINGPOST_KEEP_KEYS says for how many seconds: in
// the user's keyring (user-keyring(7)), which is in memory alone. Whoever may read it could read the variable with the
// passphrase as well. A key's name is an HMAC under random bytes that are kept beside it, so that the list of names in
// /proc/keys is of no use for guessing passphrases. Any thread.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "secrets/key_derivation.h"

namespace kingpost {

// Fails if KINGPOST_KEEP_KEYS is no number of seconds, 0 to a week.
Status CheckKeepKeys();

// nullopt if there is none, or keys are not to be kept.
std::optional<SecretKey> FindKeptKey(const std::string& passphrase, const std::string& salt);

// Nothing if keys are not to be kept. If the kernel refuses, the first refusal is told on standard error.
void KeepKey(const std::string& passphrase, const std::string& salt, const SecretKey& key);

}  // namespace kingpost
