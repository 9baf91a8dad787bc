// SPDX-License-Identifier: Apache-2.0
// The common steps of making something from a template: its folder, the choice of the template, its files. Main thread.
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"
#include "workspace/template.h"

namespace kingpost {

// Makes the folder and goes there; "" is where we are.
Status EnterFolder(const std::string& folder);
// But for what tools of versions keep in it; "" is where we are.
Status CheckEmpty(const std::string& folder);

// The template that the user chooses, if there are several and a user can be asked. `command`: "new".
Result<ProjectTemplate> ChooseOneTemplate(Session& session, const std::string& command, const std::string& source,
                                          bool asks, std::vector<ProjectTemplate> templates);

// Into the current folder. What is in the way is told, or written over.
Status WriteToCurrentFolder(const TemplateFiles& files, bool force);

}  // namespace kingpost
