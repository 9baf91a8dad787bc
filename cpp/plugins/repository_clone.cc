// SPDX-License-Identifier: Apache-2.0
#include "plugins/repository_clone.h"

#include "base/url_masking.h"
#include "plugins/git_commands.h"
#include "processes/plugin_environment.h"
#include "remote/http/http_client.h"

namespace kingpost {

namespace {

void HideUrl(const std::string& url, std::string* text) {
  const std::string printable = MaskUrls(url);
  for (size_t at = 0; (at = text->find(url, at)) != std::string::npos; at += printable.size()) {
    text->replace(at, url.size(), printable);
  }
}

// The output of git.
Task<Result<std::string>> Git(std::shared_ptr<ProgramRunner> runner, PluginRepository repository,
                              std::vector<std::string> arguments, std::string folder) {
  ProcessSpec spec;
  spec.argv = {"git"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.environment = PluginEnvironment({{"GIT_TERMINAL_PROMPT", "0"}});
  spec.working_directory = std::move(folder);
  std::string output, errors;
  auto collect = ProgramRunner::CollectOutput(&output);
  auto running = runner->RunToEnd(std::move(spec), std::move(collect), &errors);
  const auto exit = co_await std::move(running);
  if (!exit.ok()) co_return exit.status();
  if (exit->ok()) co_return output;
  HideUrl(repository.url, &errors);
  const std::string why = exit->start_error != 0
                              ? "git, which must be installed, cannot be started: " + exit->Describe()
                              : "git says:\n" + errors;
  co_return Status(Code::kUnknown, "cannot get " + MaskUrls(repository.url) + ": " + why);
}

}  // namespace

Task<Result<std::string>> ListRefs(std::shared_ptr<ProgramRunner> runner, PluginRepository repository) {
  std::vector<std::string> arguments = {"ls-remote", "--", repository.url};
  return Git(std::move(runner), std::move(repository), std::move(arguments), "");
}

Task<Status> CloneRepository(std::shared_ptr<ProgramRunner> runner, PluginRepository repository,
                             RepositoryVersion version, std::string folder) {
  for (GitArguments& arguments : CloneCommands(repository.url, version.ref, version.is_commit)) {
    auto running = Git(runner, repository, std::move(arguments), folder);
    const auto done = co_await std::move(running);
    if (!done.ok()) co_return done.status();
  }
  co_return Status::Ok();
}

}  // namespace kingpost
