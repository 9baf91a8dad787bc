// SPDX-License-Identifier: Apache-2.0
// Where in a text something stands, and errors that say so. Any thread.
#pragma once

#include <string>

#include "base/status.h"

namespace kingpost::pcl {

struct Position {
  int line = 1, column = 1;  // of the first character; columns count characters, not bytes
};

// The detail of an error at a place, for callers that show the place themselves.
struct Mistake {
  Position at;
  std::string message;
};

// "line,column: message"; the caller that knows the file puts its name in front.
inline Status ErrorAt(Position at, const std::string& message) {
  Status status(Code::kInvalidArgument, std::to_string(at.line) + "," + std::to_string(at.column) + ": " + message);
  return status.With(Mistake{at, message});
}

}  // namespace kingpost::pcl
