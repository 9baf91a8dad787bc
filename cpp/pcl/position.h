// SPDX-License-Identifier: Apache-2.0
// Where in a snippet something stands, and errors that say so. Any thread.
#pragma once

#include <string>

#include "base/status.h"

namespace kingpost::pcl {

struct Position {
  int line = 1, column = 1;  // of the first character; columns count characters, not bytes
};

// "line,column: message"; whoever knows the file puts its name in front.
inline Status ErrorAt(Position at, const std::string& message) {
  return Status(Code::kInvalidArgument, std::to_string(at.line) + "," + std::to_string(at.column) + ": " + message);
}

}  // namespace kingpost::pcl
