// SPDX-License-Identifier: Apache-2.0
// The meaning of the command's exit status. Programs that drive it rely on these numbers.
#pragma once

#include <string>
#include <utility>

#include "base/status.h"

namespace kingpost {

enum class ExitCode : int {
  kOk = 0,
  kFailed = 1,  // an operation failed or was cancelled by one signal; anything without a number of its own
  kUsage = 2,   // wrong flags, arguments or settings
  kAuth = 3,    // the passphrase is wrong or missing
  kResource = 4,
  kPolicy = 5,      // kept for violated policies; the reference ends with 1 after one, so nothing gives it
  kNoStack = 6,     // the stack does not exist, or none is selected
  kHasChanges = 7,  // --expect-no-changes, and there were some
  kCancelled = 8,   // stopped by a second signal
  kTimeout = 9,
  kAwaiting = 10,  // nothing failed, but some resources wait for something
  kInternal = 255,
};

// A failure that ends the command with this exit status. A Bail prints nothing more.
inline Status Fail(ExitCode exit, std::string message, Code code = Code::kFailedPrecondition) {
  Status status(code, std::move(message));
  status.With(exit);
  return status;
}
inline Status UsageError(std::string message) {
  return Fail(ExitCode::kUsage, std::move(message), Code::kInvalidArgument);
}

inline ExitCode ExitCodeOf(const Status& status) {
  if (status.ok()) return ExitCode::kOk;
  const ExitCode* exit = status.detail<ExitCode>();
  return exit ? *exit : ExitCode::kFailed;
}

}  // namespace kingpost
