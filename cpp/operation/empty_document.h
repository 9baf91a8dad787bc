// SPDX-License-Identifier: Apache-2.0
// The document with which a stack begins.
#pragma once

#include <string>

#include "kingpost/secrets_manager.h"

namespace kingpost {

// It names what protects the secrets, so that this is known even if the settings get lost before the first update.
// `secrets` may be null.
Result<std::string> EmptyDocument(const std::string& qualified_name, SecretsManager* secrets);

}  // namespace kingpost
