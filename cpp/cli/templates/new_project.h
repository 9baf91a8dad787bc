// SPDX-License-Identifier: Apache-2.0
// A project from a template, its first stack, the settings that the template asks for, and the packages that the
// program needs: what `new` does, and `up TEMPLATE` before it updates. Main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/session/session.h"
#include "workspace/template.h"

namespace kingpost {

struct NewOptions {
  std::string source;  // a template's name, path or address; "" to choose
  std::string name, description, folder, stack, secrets_provider;
  std::vector<std::string> config;           // "key=value"
  std::vector<std::string> runtime_options;  // "key=value"
  bool config_path = false, yes = false, force = false, generate_only = false, offline = false;
  bool is_for_once = false;  // named after its template, and a stack of that project may exist
};

// Makes the project in its folder, goes there, and says what is left to do.
Status MakeProject(Session& session, const NewOptions& options);

// Makes a project in a folder that is gone when `then` is over, which runs there with a session of its own.
Status WithProject(Session& session, NewOptions options, const std::function<Status(Session& inside)>& then);

}  // namespace kingpost
