// SPDX-License-Identifier: Apache-2.0
// Commands of others that know credentials: aws, az, gcloud, or what a profile names. Any thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

// Standard output of the command, which may hold a credential. Its standard error is the user's, as it asks there for
// what it needs; none of our secrets is in its environment. NotFound if there is no such command.
Result<std::string> RunHelper(const std::vector<std::string>& argv);

}  // namespace kingpost
