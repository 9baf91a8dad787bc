// SPDX-License-Identifier: Apache-2.0
// Notes at the end of an operation, below the display. Pure.
#pragma once

#include <string>

#include "model/snapshot.h"

namespace kingpost {

// One line that says what an error is. "... failed with an unhandled exception:" goes on with the exception itself.
std::string ErrorInOneLine(const std::string& message);

// After a destroy: what is left in the stack and how to go on; "" if there is nothing to say.
struct DestroyOutcome {
  bool excluded_protected = false;  // --exclude-protected
  bool deleted_some = false;
};
std::string DestroyNote(const Snapshot& left, const std::string& stack, const DestroyOutcome& outcome);

}  // namespace kingpost
