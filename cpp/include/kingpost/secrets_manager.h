// SPDX-License-Identifier: Apache-2.0
// The secrets managers there are, and the passphrases that some of them need (rows 7.18 and 7.19).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "model/secrets_manager.h"

namespace kingpost {

// Where a passphrase comes from. Called at most once per attempt, never before it is needed.
class PassphraseSource {
 public:
  virtual ~PassphraseSource() = default;
  virtual Result<std::string> Read(const std::string& prompt) = 0;
  // True if asking again after a wrong answer can help.
  virtual bool interactive() const { return false; }
};

// The first of: PULUMI_CONFIG_PASSPHRASE (set, may be empty); the file that PULUMI_CONFIG_PASSPHRASE_FILE names; a
// question on the terminal, without echo, if may_prompt. Otherwise an error that names the two variables.
std::shared_ptr<PassphraseSource> EnvironmentPassphrase(bool may_prompt);
// One that replaces what the environment holds: a question on the terminal, else all of standard input.
std::shared_ptr<PassphraseSource> NewPassphrase(bool may_prompt);
std::shared_ptr<PassphraseSource> FixedPassphrase(std::string passphrase);

// The manager that a checkpoint or a stack's settings describe. state_json as in SecretsManager::state(). Reads no
// passphrase and asks no key service yet. `stack_name` only completes the prompt. The type that needs Pulumi Cloud
// ("service") is refused with the remedy.
Result<std::shared_ptr<SecretsManager>> OpenSecretsManager(const std::string& type, const std::string& state_json,
                                                           std::shared_ptr<PassphraseSource> source,
                                                           const std::string& stack_name = "");

// A manager with a new random salt, for a new stack or a changed passphrase. Asks twice if the source is interactive.
Result<std::shared_ptr<SecretsManager>> NewPassphraseManager(std::shared_ptr<PassphraseSource> source);

// {"salt":"..."} of the `encryptionsalt` of a stack's settings, and back ("" if the state is not a passphrase
// manager's).
std::string PassphraseState(const std::string& encryption_salt);
std::string EncryptionSalt(const SecretsManager& manager);

}  // namespace kingpost
