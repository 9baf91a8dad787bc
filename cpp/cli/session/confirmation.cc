// SPDX-License-Identifier: Apache-2.0
#include "cli/session/confirmation.h"

#include <iostream>

#include "base/trim.h"
#include "cli/session/exit_code.h"

namespace kingpost {

Result<bool> Confirm(Session& session, const std::string& question, const std::string& expected) {
  if (!session.interactive()) {
    return UsageError("--yes must be passed in to proceed when running in non-interactive mode");
  }
  session.Say(question);
  std::string answer;
  if (!std::getline(std::cin, answer)) return false;
  return TrimmedView(answer) == expected;
}

}  // namespace kingpost
