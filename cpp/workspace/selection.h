// SPDX-License-Identifier: Apache-2.0
// The user's choices outside of the project: the backend, and the current stack of each project and backend. Kept in
// files below PULUMI_HOME, in the formats of the reference, so that both tools agree on what is selected.
#pragma once

#include <string>

#include "base/status.h"
#include "workspace/project.h"

namespace kingpost {

// $PULUMI_HOME/workspaces/PROJECT-SHA1(path of Pulumi.yaml)-workspace.json. Links in the path are followed, so that a
// project has one file however it is reached.
std::string SelectionFile(const Project& project);
// organization/PROJECT/NAME (or NAME in files of old). "" if nothing is selected. $PULUMI_STACK wins.
Result<std::string> SelectedStack(const Project& project, const std::string& backend_url);
// "" deselects.
Status SelectStack(const Project& project, const std::string& backend_url, const std::string& stack);

// PULUMI_BACKEND_URL, else the project's backend.url, else what was logged in to. `project` may be null. kNotFound,
// with the remedy, if nothing was chosen.
Result<std::string> ChosenBackend(const Project* project);
// The same for a command that runs in another folder: makes a relative path in the project's backend.url absolute.
Result<std::string> AbsoluteChosenBackend(const Project& project);
Status LogIn(const std::string& backend_url);  // remembers the choice in credentials.json
Result<std::string> LoggedInTo();              // "" if nowhere
Status LogOut(const std::string& backend_url);
Status LogOutOfAll();

}  // namespace kingpost
