// SPDX-License-Identifier: Apache-2.0
#include "cli/templates/git_clone.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/session/exit_code.h"
#include "cli/session/foreground.h"
#include "plugins/git_commands.h"
#include "processes/command_output.h"
#include "processes/plugin_environment.h"
#include "remote/http/http_client.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// "main", "v1" of lines such as "COMMIT\trefs/heads/main".
std::vector<std::string> RefsOf(const std::string& listing) {
  std::vector<std::string> refs;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    for (const char* kind : {"refs/heads/", "refs/tags/"}) {
      const size_t at = line.find(kind);
      if (at != std::string::npos) refs.push_back(line.substr(at + std::string(kind).size()));
    }
  }
  return refs;
}

bool IsCloneOf(const std::string& folder, const std::string& url) {
  const std::optional<std::string> remote = OutputOf({"git", "remote", "get-url", "origin"}, folder);
  std::error_code error;
  return remote && *remote == url + "\n" && fs::exists(fs::path(folder) / ".git", error);
}

}  // namespace

Status RunGit(Session& session, std::vector<std::string> arguments, const std::string& folder) {
  ProcessSpec spec;
  spec.argv = {"git"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.working_directory = folder;
  // A password that the user cannot type is an error at once.
  spec.environment = PluginEnvironment({{"GIT_TERMINAL_PROMPT", session.interactive() ? "1" : "0"}});
  return RunInForeground(spec, STDERR_FILENO);
}

Status FetchError(const std::string& url) {
  return Fail(ExitCode::kFailed, "cannot get " + PrintableUrl(url) +
                                     ": git, which must be installed, says why above; is the address right, and may "
                                     "you read it?");
}

namespace {

bool Clone(Session& session, const std::string& url, const std::string& ref, bool is_commit,
           const std::string& folder) {
  for (const GitArguments& arguments : CloneCommands(url, ref, is_commit)) {
    if (!RunGit(session, arguments, folder).ok()) return false;
  }
  return true;
}

}  // namespace

Result<std::string> CloneFolder(Session& session, const GitAddress& address, const std::string& folder) {
  std::vector<std::string> refs;
  if (address.inside.starts_with("tree/")) {
    const auto listing = OutputOf({"git", "ls-remote", "--heads", "--tags", "--", address.url}, folder);
    if (!listing) return FetchError(address.url);
    refs = RefsOf(*listing);
  }
  const std::optional<GitFolder> wanted = SplitRefAndFolder(address.inside, refs);
  if (!wanted) {
    return Fail(ExitCode::kFailed,
                PrintableUrl(address.url) + " has no branch or tag that '" + address.inside + "' begins with");
  }
  const bool is_commit = !wanted->ref.empty() && refs.end() == std::find(refs.begin(), refs.end(), wanted->ref);
  if (!Clone(session, address.url, wanted->ref, is_commit, folder)) return FetchError(address.url);
  const std::string found = wanted->folder.empty() ? folder : folder + "/" + wanted->folder;
  std::error_code error;
  if (fs::is_directory(found, error)) return found;
  return Fail(ExitCode::kFailed, PrintableUrl(address.url) + " has no folder '" + wanted->folder + "'",
              Code::kNotFound);
}

Status CloneOrUpdate(Session& session, const std::string& url, const std::string& branch, const std::string& folder) {
  std::error_code error;
  if (!IsCloneOf(folder, url)) {
    fs::remove_all(folder, error);
    fs::create_directories(folder, error);
    if (error) return Fail(ExitCode::kFailed, "cannot make " + folder + ": " + error.message());
    return Clone(session, url, branch, false, folder) ? Status::Ok() : FetchError(url);
  }
  const Status fetched = RunGit(session, {"fetch", "--quiet", "--depth", "1", "origin", branch}, folder);
  if (!fetched.ok()) return FetchError(url);
  return RunGit(session, {"reset", "--quiet", "--hard", "FETCH_HEAD"}, folder);
}

}  // namespace kingpost
