// SPDX-License-Identifier: Apache-2.0
#include "cli/metadata/update_metadata.h"

#include <unistd.h>

#include <filesystem>

#include "base/os.h"
#include "cli/metadata/ci_system.h"
#include "cli/metadata/git_repository.h"
#include "cli/metadata/runtime_info.h"
#include "cli/session/variables.h"
#include "model/version_range.h"
#include "plugins/plugin_source.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;
using Facts = std::map<std::string, std::string>;

void AddIfSet(const std::string& key, const std::string& value, Facts* environment) {
  if (!value.empty()) (*environment)[key] = value;
}

// "a subject" of "a subject\n\nand more"
std::string FirstLine(const std::string& text) { return text.substr(0, text.find_first_of("\r\n")); }

void AddCommandLine(const MetadataRequest& request, Facts* environment) {
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const size_t equals = text.find('=');
    if (!text.starts_with("PULUMI_") || equals == std::string::npos) continue;
    const std::string name = text.substr(0, equals);
    (*environment)["pulumi.env." + name] = HistoryTextOf(name, text.substr(equals + 1));
  }
  for (const auto& [flag, value] : request.flags) (*environment)["pulumi.flag." + flag] = value;
  (*environment)["pulumi.version"] = std::string("v") + kPulumiVersion;
  const PluginPlatform platform = PluginPlatform::Here();
  (*environment)["pulumi.os"] = platform.os;
  (*environment)["pulumi.arch"] = platform.arch;
}

void AddRemote(const GitRepository& git, const std::string& folder, Facts* environment) {
  if (git.remote_url.empty()) return;
  if (const auto address = ParseRemoteUrl(git.remote_url)) {
    (*environment)["vcs.owner"] = address->owner;
    (*environment)["vcs.repo"] = address->repository;
    (*environment)["vcs.kind"] = address->host;
  }
  std::error_code error;
  const fs::path below = fs::relative(fs::canonical(folder, error), fs::canonical(git.root, error), error);
  if (!error && !below.string().starts_with("..")) (*environment)["vcs.root"] = below.string();
}

void AddCommit(const GitRepository& git, const CiSystem& ci, UpdateMetadata* metadata) {
  if (!git.commit) return;
  Facts& environment = metadata->environment;
  const GitCommit& commit = *git.commit;
  environment["git.head"] = commit.hash;
  // A CI system often checks out a commit without a branch.
  AddIfSet("git.headName", git.head_name.empty() ? ci.branch : git.head_name, &environment);
  if (metadata->message.empty())
    metadata->message = FirstLine(commit.message.empty() ? ci.commit_message : commit.message);
  environment["git.committer"] = commit.committer;
  environment["git.committer.email"] = commit.committer_email;
  environment["git.author"] = commit.author;
  environment["git.author.email"] = commit.author_email;
  environment["git.dirty"] = git.dirty ? "true" : "false";
}

std::string VariableOr(const char* name, const std::string& otherwise) {
  const std::string value = GetEnvironment(name);
  return value.empty() ? otherwise : value;
}

// Where sources come without their repository, variables may say what it would have said.
void AddFromVariables(const CiSystem& ci, UpdateMetadata* metadata) {
  constexpr std::pair<const char*, const char*> kNames[] = {{"vcs.owner", "PULUMI_VCS_REPO_OWNER"},
                                                            {"vcs.repo", "PULUMI_VCS_REPO_NAME"},
                                                            {"vcs.kind", "PULUMI_VCS_REPO_KIND"},
                                                            {"vcs.root", "PULUMI_VCS_REPO_ROOT"},
                                                            {"git.head", "PULUMI_GIT_HEAD"},
                                                            {"git.committer", "PULUMI_GIT_COMMITTER"},
                                                            {"git.author", "PULUMI_GIT_AUTHOR"},
                                                            {"git.committer.email", "PULUMI_GIT_COMMITTER_EMAIL"},
                                                            {"git.author.email", "PULUMI_GIT_AUTHOR_EMAIL"}};
  for (const auto& [key, name] : kNames) AddIfSet(key, GetEnvironment(name), &metadata->environment);
  AddIfSet("git.headName", VariableOr("PULUMI_GIT_HEAD_NAME", ci.branch), &metadata->environment);
  const std::string message = FirstLine(VariableOr("PULUMI_GIT_COMMIT_MESSAGE", ci.commit_message));
  if (metadata->message.empty()) metadata->message = message;
}

void AddCi(const CiSystem& ci, Facts* environment) {
  if (ci.name.empty()) return;
  (*environment)["ci.system"] = ci.name;
  AddIfSet("ci.build.id", ci.build_id, environment);
  AddIfSet("ci.build.number", ci.build_number, environment);
  AddIfSet("ci.build.type", ci.build_type, environment);
  AddIfSet("ci.build.url", ci.build_url, environment);
  AddIfSet("ci.pr.headSHA", ci.sha, environment);
  AddIfSet("ci.pr.number", ci.pull_request, environment);
}

void AddRuntime(const Project& project, Facts* environment) {
  const RuntimeInfo about = ReadRuntimeInfo(project);
  AddIfSet("runtime.name", about.name, environment);
  AddIfSet("runtime.executable", about.executable, environment);
  AddIfSet("runtime.version", about.version, environment);
  for (const auto& [key, value] : about.metadata) (*environment)["runtime.metadata." + key] = value;
}

}  // namespace

UpdateMetadata GatherMetadata(const MetadataRequest& request) {
  UpdateMetadata metadata;
  metadata.message = request.message;
  Facts& environment = metadata.environment;
  AddCommandLine(request, &environment);
  const CiSystem ci = DetectCiSystem();
  const std::string folder = request.project.file.empty() ? "." : request.project.folder();
  if (const auto git = request.git ? request.git->Read(folder) : ReadGitRepository(folder)) {
    AddRemote(*git, folder, &environment);
    AddCommit(*git, ci, &metadata);
  } else {
    AddFromVariables(ci, &metadata);
  }
  AddCi(ci, &environment);
  AddRuntime(request.project, &environment);
  const bool known_kind = request.exec_kind == "auto.local" || request.exec_kind == "auto.inline";
  environment["exec.kind"] = known_kind ? request.exec_kind : "cli";
  AddIfSet("exec.agent", request.exec_agent, &environment);
  environment["updatePlan"] = request.has_plan ? "true" : "false";
  environment["stack.environments"] = "[]";
  return metadata;
}

}  // namespace kingpost
