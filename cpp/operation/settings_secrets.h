// SPDX-License-Identifier: Apache-2.0
// Which secrets manager a stack's settings name, and writing there which one it is.
#pragma once

#include <memory>
#include <string>

#include "kingpost/secrets_manager.h"
#include "workspace/stack_config.h"

namespace kingpost {

// "passphrase", "default" and "": the passphrase. Anything else is the URL of a key service.
bool IsPassphraseProvider(const std::string& provider);

// Fails, with what is possible, unless this program can encrypt with it.
Status CheckProviderName(const std::string& provider);

// The manager that the settings name; null if they name none.
Result<std::shared_ptr<SecretsManager>> SecretsOfSettings(StackConfig* config, std::shared_ptr<PassphraseSource> source,
                                                          const std::string& stack);

// The manager of settings that name a key service. PULUMI_CLOUD_SECRET_OVERRIDE, if it is set, is asked in the place of
// what they name. Settings without a data key get one, and are saved.
Result<std::shared_ptr<SecretsManager>> CloudSecretsOfConfig(StackConfig* config);

// A new passphrase or a new data key.
Result<std::shared_ptr<SecretsManager>> NewSecretsManager(const std::string& provider,
                                                          std::shared_ptr<PassphraseSource> passphrase);

// So that the settings name `manager` and no other. Does not save them.
void SetConfigSecretsManager(const SecretsManager& manager, StackConfig* config);

}  // namespace kingpost
