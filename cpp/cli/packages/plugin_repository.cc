// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/plugin_repository.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "cli/exit_code.h"
#include "cli/metadata/command_output.h"
#include "cli/templates/git_clone.h"
#include "naming/provider_inputs.h"
#include "net/http_client.h"
#include "workspace/selection.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

struct TagOrCommit {
  std::string version;  // "1.2.0", or "0.0.0-x" and the commit
  std::string ref;      // "v1.2.0", or the commit
  bool is_commit = false;
};

// Of the lines "COMMIT\tREF": the tag of the version, or of the highest one if none is named.
std::optional<TagOrCommit> ChooseTag(const std::string& listing, const std::string& wanted) {
  std::optional<TagOrCommit> best;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find("refs/tags/");
    if (at == std::string::npos || line.ends_with("^{}")) continue;
    const std::string tag = line.substr(at + 10), version = naming::TolerantSemver(tag);
    if (version.empty() || (!wanted.empty() && naming::CompareSemver(version, wanted) != 0)) continue;
    if (!best || naming::CompareSemver(version, best->version) > 0) best = TagOrCommit{version, tag};
  }
  return best;
}

bool IsCommit(const std::string& text) {
  return text.size() >= 7 && text.size() <= 40 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

TagOrCommit AtCommit(const std::string& commit) { return {"0.0.0-x" + commit, commit, true}; }

Result<TagOrCommit> ChooseVersion(const PluginRepository& repository, const std::string& version) {
  if (IsCommit(version)) return AtCommit(version);
  const auto listing = OutputOf({"git", "ls-remote", "--", repository.url}, ".");
  if (!listing) return CannotFetch(repository.url);
  const std::string wanted = version.empty() ? "" : naming::TolerantSemver(version);
  if (version.empty() || !wanted.empty()) {
    if (const auto tag = ChooseTag(*listing, wanted)) return *tag;
  }
  if (!version.empty()) {
    return Fail(ExitCode::kFailed, PrintableUrl(repository.url) + " has no tag for the version " + version +
                                       ": name a tag that is a semantic version, or a commit");
  }
  const std::string head = listing->substr(0, listing->find('\t'));
  return AtCommit(head);
}

Status Fetch(Session& session, const PluginRepository& repository, const TagOrCommit& wanted, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Fail(ExitCode::kFailed, "cannot make the folder " + folder.string() + ": " + error.message());
  std::vector<std::string> clone = {"clone", "--quiet"};
  if (!wanted.is_commit) clone.insert(clone.end(), {"--depth", "1", "--branch", wanted.ref});
  clone.insert(clone.end(), {"--", repository.url, "."});
  if (!RunGit(session, clone, folder.string()).ok()) return CannotFetch(repository.url);
  if (!wanted.is_commit) return Status::Ok();
  return RunGit(session, {"checkout", "--quiet", "--detach", wanted.ref}, folder.string());
}

}  // namespace

// HOST/OWNER/REPOSITORY, with or without https:// before it.
std::optional<PluginRepository> ParseRepository(const std::string& source) {
  std::string text = source;
  std::string scheme = "https://";
  for (const std::string known : {"https://", "http://", "ssh://", "file://", "git://"}) {
    if (!text.starts_with(known)) continue;
    scheme = known == "git://" ? "https://" : known;
    text.erase(0, known.size());
  }
  const size_t host_end = text.find('/');
  const bool is_file = scheme == "file://";
  if (host_end == std::string::npos || (!is_file && text.substr(0, host_end).find('.') == std::string::npos)) return {};
  PluginRepository repository;
  if (const size_t git = text.find(".git/"); git != std::string::npos) {
    repository.inside = text.substr(git + 5);
    text.erase(git + 4);
  }
  if (repository.inside.find("..") != std::string::npos) return {};
  const size_t owner_end = text.find('/', host_end + 1);
  if (owner_end == std::string::npos) return {};
  repository.owner = text.substr(host_end + 1, owner_end - host_end - 1);
  std::transform(repository.owner.begin(), repository.owner.end(), repository.owner.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (!text.ends_with(".git")) text += is_file ? "" : ".git";
  repository.url = scheme + text;
  repository.name = text;
  std::replace(repository.name.begin(), repository.name.end(), '/', '_');
  return repository;
}

Result<std::string> FetchRepository(Session& session, const PluginRepository& repository, const std::string& version) {
  const auto wanted = ChooseVersion(repository, version);
  if (!wanted.ok()) return wanted.status();
  const fs::path cache = fs::path(PulumiHome()) / "plugins";
  const fs::path folder = cache / ("resource-" + repository.name + "-v" + wanted->version);
  std::error_code error;
  if (!fs::exists(folder / ".git", error)) {
    // Beside it first: what is half fetched must not be taken for the whole.
    const fs::path partial = folder.string() + ".partial-" + std::to_string(getpid());
    fs::remove_all(partial, error);
    const Status fetched = Fetch(session, repository, *wanted, partial);
    if (fetched.ok()) fs::rename(partial, folder, error);
    if (!fetched.ok() || error) fs::remove_all(partial);
    if (!fetched.ok()) return fetched;
    if (error) return Fail(ExitCode::kFailed, "cannot keep " + folder.string() + ": " + error.message());
  }
  return (folder / repository.inside).lexically_normal().string();
}

}  // namespace kingpost
