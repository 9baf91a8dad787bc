// SPDX-License-Identifier: Apache-2.0
// The question before something that cannot be undone.
#pragma once

#include <string>

#include "cli/session/session.h"

namespace kingpost {

// True if the user types the word that is expected. Fails if there is nobody to ask.
Result<bool> Confirm(Session& session, const std::string& question, const std::string& expected);

}  // namespace kingpost
