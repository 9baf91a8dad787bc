// SPDX-License-Identifier: Apache-2.0
// The user, commit, CI run and tools of an operation: kept with the operation in the history, under the reference's
// names.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "workspace/project.h"

namespace kingpost {

class GitRepositories;  // git_repository.h

struct MetadataRequest {
  std::string message;  // "" to take the subject of the commit
  Project project;      // an empty one outside of projects
  std::string exec_kind, exec_agent;
  bool has_plan = false;
  std::map<std::string, std::string> flags;  // name -> "true", "false" or "set"
  std::shared_ptr<GitRepositories> git;      // of several requests; null for one alone
};

struct UpdateMetadata {
  std::string message;
  std::map<std::string, std::string> environment;
};

// Reads variables, and asks git and the interpreter: some ten milliseconds, on any thread.
UpdateMetadata GatherMetadata(const MetadataRequest& request);

}  // namespace kingpost
