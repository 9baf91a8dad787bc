// SPDX-License-Identifier: Apache-2.0
// Whether the user is about to keep a secret in clear. Pure.
#pragma once

#include <string>

namespace kingpost {

// A key that is named like one (`token`, `dbPassword`) with a value that is hard to guess. Words and short values pass:
// the guess is wrong now and then, and costs a flag.
bool LooksLikeSecret(const std::string& key, const std::string& value);

}  // namespace kingpost
