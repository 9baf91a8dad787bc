// SPDX-License-Identifier: Apache-2.0
// Values that have a default: the person in front of the terminal may take it or type another.
#pragma once

#include <functional>
#include <string>

#include "cli/session/session.h"

namespace kingpost {

struct ValueQuestion {
  std::string label;  // "Project name"
  std::string default_value;
  bool secret = false;  // neither the default nor what is typed is shown
  std::function<Status(const std::string& value)> check = nullptr;
};

// Asks until the answer passes the check. Without anybody to ask, or if `take_default` says so, the default is checked
// and taken.
Result<std::string> AskValue(Session& session, bool take_default, const ValueQuestion& question);

}  // namespace kingpost
