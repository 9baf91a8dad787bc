// SPDX-License-Identifier: Apache-2.0
#include "cli/metadata/git_repository.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/pattern.h"
#include "processes/command_output.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// The folder that holds .git; "" if none does. Most folders are in no repository; then nothing has to be started.
std::string RepositoryFolder(const std::string& folder) {
  std::error_code error;
  for (fs::path at = fs::absolute(folder).lexically_normal();; at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return at.string();
    if (at == at.parent_path()) return "";
  }
}

std::string WithoutLineEnd(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

std::optional<std::string> Git(const std::string& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "git");
  auto text = OutputOf(arguments, folder);
  if (text) *text = WithoutLineEnd(std::move(*text));
  return text;
}

std::optional<GitCommit> ReadCommit(const std::string& folder) {
  const auto text = Git(folder, {"log", "-1", "--no-show-signature", "--format=%H%x00%cn%x00%ce%x00%an%x00%ae%x00%B"});
  if (!text) return std::nullopt;
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text->size();) {
    const size_t end = std::min(text->find('\0', begin), text->size());
    parts.push_back(text->substr(begin, end - begin));
    begin = end + 1;
  }
  if (parts.size() != 6) return std::nullopt;
  return GitCommit{parts[0], parts[5], parts[1], parts[2], parts[3], parts[4]};
}

bool IsAzureHost(const std::string& host) { return host == "dev.azure.com"; }

std::optional<RemoteAddress> Split(const std::string& host, const std::string& path) {
  static const Pattern* const kOldAzure = new Pattern("([a-zA-Z0-9-]*)\\.visualstudio\\.com$");
  if (const auto match = kOldAzure->Find(host)) return RemoteAddress{match->at(1), path, "dev.azure.com"};
  const size_t slash = path.find('/');
  if (slash == std::string::npos) return std::nullopt;
  RemoteAddress address{path.substr(0, slash), path.substr(slash + 1), host};
  const size_t next = address.repository.find('/');
  if (IsAzureHost(host) && address.repository.find("_git") == std::string::npos && next != std::string::npos) {
    address.repository.insert(next, "/_git");
  }
  return address;
}

}  // namespace

std::optional<RemoteAddress> ParseRemoteUrl(const std::string& url) {
  static const Pattern* const kWeb = new Pattern("https?://(?:[^@/]*@)?([^/:]+(?::\\d+)?)/(.+)");
  static const Pattern* const kShell = new Pattern("(?:ssh://)?git@([a-zA-Z.-]*\\.[a-zA-Z]+)[:/](?:v\\d/)?(.+)");
  auto match = kWeb->FindWhole(url);
  if (!match) match = kShell->FindWhole(url);
  if (!match) return std::nullopt;
  std::string host = match->at(1), path = match->at(2);
  if (host.starts_with("ssh.")) host.erase(0, 4);  // of Azure
  while (path.ends_with('/')) path.pop_back();
  if (path.ends_with(".git")) path.resize(path.size() - 4);
  return Split(host, path);
}

std::optional<GitRepository> ReadGitRepository(const std::string& folder) {
  if (RepositoryFolder(folder).empty()) return std::nullopt;
  const auto root = Git(folder, {"rev-parse", "--show-toplevel"});
  if (!root) return std::nullopt;
  GitRepository repository;
  repository.root = *root;
  repository.remote_url = Git(folder, {"config", "--get", "remote.origin.url"}).value_or("");
  repository.commit = ReadCommit(folder);
  repository.head_name = Git(folder, {"symbolic-ref", "-q", "HEAD"}).value_or("");
  repository.dirty = !Git(folder, {"status", "--porcelain", "-z"}).value_or("").empty();
  return repository;
}

std::optional<GitRepository> GitRepositories::Read(const std::string& folder) {
  const std::string at = RepositoryFolder(folder);
  if (at.empty()) return std::nullopt;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = known_.find(at);
  return found != known_.end() ? found->second : known_.emplace(at, ReadGitRepository(at)).first->second;
}

}  // namespace kingpost
