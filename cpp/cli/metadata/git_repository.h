// SPDX-License-Identifier: Apache-2.0
// Git's data about the repository that a project is in.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace kingpost {

struct GitCommit {
  std::string hash, message, committer, committer_email, author, author_email;
};

struct GitRepository {
  std::string root;                 // its work tree
  std::string remote_url;           // of "origin"; "" if there is none
  std::optional<GitCommit> commit;  // nothing before the first one
  std::string head_name;            // "refs/heads/main"; "" if detached
  bool dirty = false;
};

// Nothing if no repository holds the folder, or git cannot be asked.
std::optional<GitRepository> ReadGitRepository(const std::string& folder);

// The same for many folders of few repositories: each is asked about once. Any thread.
class GitRepositories {
 public:
  std::optional<GitRepository> Read(const std::string& folder);

 private:
  std::mutex mutex_;
  std::map<std::string, std::optional<GitRepository>> known_;  // by the folder that holds .git
};

// Where a remote URL leads: "https://github.com/acme/site.git" is acme, site, github.com.
struct RemoteAddress {
  std::string owner, repository, host;
};
std::optional<RemoteAddress> ParseRemoteUrl(const std::string& url);

}  // namespace kingpost
