// SPDX-License-Identifier: Apache-2.0
#include "rpc/repository_clone.h"

#include "net/http_client.h"
#include "rpc/plugin_environment.h"

namespace kingpost {

namespace {

void HideUrl(const std::string& url, std::string* text) {
  const std::string printable = PrintableUrl(url);
  for (size_t at = 0; (at = text->find(url, at)) != std::string::npos; at += printable.size()) {
    text->replace(at, url.size(), printable);
  }
}

// What git prints.
Task<Result<std::string>> Git(std::shared_ptr<ProgramRunner> runner, PluginRepository repository,
                              std::vector<std::string> arguments, std::string folder) {
  ProcessSpec spec;
  spec.argv = {"git"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.environment = PluginEnvironment({{"GIT_TERMINAL_PROMPT", "0"}});
  spec.working_directory = std::move(folder);
  std::string output, errors;
  ProgramRunner::LineHandler collect = [&output](OutputStream stream, std::string line) {
    if (stream == OutputStream::kStdout) output += line + "\n";
  };
  auto running = runner->RunToEnd(std::move(spec), std::move(collect), &errors);
  const auto exit = co_await std::move(running);
  if (!exit.ok()) co_return exit.status();
  if (exit->ok()) co_return output;
  HideUrl(repository.url, &errors);
  const std::string why = exit->start_error != 0
                              ? "git, which must be installed, cannot be started: " + exit->Describe()
                              : "git says:\n" + errors;
  co_return Status(Code::kUnknown, "cannot get " + PrintableUrl(repository.url) + ": " + why);
}

}  // namespace

Task<Result<std::string>> ListRefs(std::shared_ptr<ProgramRunner> runner, PluginRepository repository) {
  std::vector<std::string> arguments = {"ls-remote", "--", repository.url};
  return Git(std::move(runner), std::move(repository), std::move(arguments), "");
}

Task<Status> CloneRepository(std::shared_ptr<ProgramRunner> runner, PluginRepository repository,
                             RepositoryVersion version, std::string folder) {
  // Servers need not give a single commit away: without a tag all of it is fetched first.
  std::vector<std::string> clone = {"clone", "--quiet"};
  if (!version.is_commit) clone.insert(clone.end(), {"--depth", "1", "--branch", version.ref});
  clone.insert(clone.end(), {"--", repository.url, "."});
  auto cloning = Git(runner, repository, std::move(clone), folder);
  const auto cloned = co_await std::move(cloning);
  if (!cloned.ok() || !version.is_commit) co_return cloned.status();
  std::vector<std::string> checkout = {"checkout", "--quiet", "--detach", version.ref};
  auto checking_out = Git(runner, repository, std::move(checkout), folder);
  const auto done = co_await std::move(checking_out);
  co_return done.status();
}

}  // namespace kingpost
