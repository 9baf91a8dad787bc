// SPDX-License-Identifier: Apache-2.0
// Folders of git repositories, by the git that is installed. Blocking; git may ask its questions in the terminal.
#pragma once

#include <string>
#include <vector>

#include "cli/session/session.h"
#include "cli/templates/git_address.h"

namespace kingpost {

// Runs git in `folder`; what it prints goes to standard error.
Status RunGit(Session& session, std::vector<std::string> arguments, const std::string& folder);
// The error after git's own message about a repository that it cannot clone.
Status FetchError(const std::string& url);

// Clones what is needed of the repository into `folder`, which is empty, and answers the folder that is meant.
Result<std::string> CloneFolder(Session& session, const GitAddress& address, const std::string& folder);

// Makes `folder` a clone of the branch, or brings the clone that it is up to date. A folder that is a clone of
// something else, or none, is made anew.
Status CloneOrUpdate(Session& session, const std::string& url, const std::string& branch, const std::string& folder);

}  // namespace kingpost
