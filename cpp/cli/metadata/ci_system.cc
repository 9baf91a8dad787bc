// SPDX-License-Identifier: Apache-2.0
#include "cli/metadata/ci_system.h"

#include <array>

#include "base/disk/durable_file.h"
#include "base/json_access.h"
#include "base/os.h"

namespace kingpost {

namespace {

std::string CiVariable(const char* name) { return name ? GetEnvironment(name) : ""; }

// Which variable holds what, for the systems that keep it in variables as it is. Null: it does not tell.
struct CiVariables {
  const char* system;
  std::array<const char*, 5> marks = {};  // any of them tells that it is this system
  const char* build_id = nullptr;
  const char* build_number = nullptr;
  const char* build_type = nullptr;
  const char* build_url = nullptr;
  const char* sha = nullptr;
  const char* branch = nullptr;
  const char* commit_message = nullptr;
  const char* pull_request = nullptr;
};

constexpr CiVariables kKnownSystems[] = {
    {.system = "AppVeyor", .marks = {"APPVEYOR"}},
    {.system = "AWS CodeBuild", .marks = {"CODEBUILD_BUILD_ARN"}},
    {.system = "Atlassian Bamboo", .marks = {"bamboo_planKey"}},
    {.system = "Atlassian Bitbucket Pipelines",
     .marks = {"BITBUCKET_COMMIT"},
     .build_id = "BITBUCKET_BUILD_NUMBER",
     .sha = "BITBUCKET_COMMIT",
     .branch = "BITBUCKET_BRANCH",
     .pull_request = "BITBUCKET_PR_ID"},
    {.system = "Azure Pipelines",
     .marks = {"TF_BUILD"},
     .build_id = "BUILD_BUILDID",
     .build_type = "BUILD_REASON",
     .sha = "BUILD_SOURCEVERSION",
     .commit_message = "BUILD_SOURCEVERSIONMESSAGE"},
    {.system = "Buildkite",
     .marks = {"BUILDKITE"},
     .build_id = "BUILDKITE_BUILD_ID",
     .build_number = "BUILDKITE_BUILD_NUMBER",
     .build_type = "BUILDKITE_SOURCE",
     .build_url = "BUILDKITE_BUILD_URL",
     .sha = "BUILDKITE_COMMIT",
     .branch = "BUILDKITE_BRANCH",
     .commit_message = "BUILDKITE_MESSAGE",
     .pull_request = "BUILDKITE_PULL_REQUEST"},
    {.system = "CircleCI",
     .marks = {"CIRCLECI"},
     .build_id = "CIRCLE_BUILD_NUM",
     .build_url = "CIRCLE_BUILD_URL",
     .sha = "CIRCLE_SHA1",
     .branch = "CIRCLE_BRANCH"},
    {.system = "Codefresh",
     .marks = {"CF_BUILD_URL"},
     .build_id = "CF_BUILD_ID",
     .build_url = "CF_BUILD_URL",
     .sha = "CF_REVISION",
     .branch = "CF_BRANCH",
     .commit_message = "CF_COMMIT_MESSAGE",
     .pull_request = "CF_PULL_REQUEST_NUMBER"},
    {.system = "Drone", .marks = {"DRONE"}},
    {.system = "GitHub Actions",
     .marks = {"GITHUB_ACTIONS"},
     .build_id = "GITHUB_RUN_ID",
     .build_number = "GITHUB_RUN_NUMBER",
     .build_type = "GITHUB_EVENT_NAME",
     .sha = "GITHUB_SHA",
     .branch = "GITHUB_REF"},
    {.system = "GitLab CI/CD",
     .marks = {"GITLAB_CI"},
     .build_id = "CI_PIPELINE_ID",
     .build_number = "CI_PIPELINE_IID",
     .build_type = "CI_PIPELINE_SOURCE",
     .build_url = "CI_JOB_URL",
     .sha = "CI_COMMIT_SHA",
     .branch = "CI_COMMIT_REF_NAME",
     .commit_message = "CI_COMMIT_MESSAGE",
     .pull_request = "CI_MERGE_REQUEST_IID"},
    {.system = "GoCD", .marks = {"GO_PIPELINE_LABEL"}},
    {.system = "Hudson", .marks = {"HUDSON_URL"}},
    {.system = "Jenkins",
     .marks = {"JENKINS_URL"},
     .build_id = "BUILD_NUMBER",
     .build_url = "BUILD_URL",
     .sha = "GIT_COMMIT",
     .branch = "GIT_BRANCH"},
    {.system = "Magnum CI", .marks = {"MAGNUM"}},
    {.system = "Semaphore", .marks = {"SEMAPHORE"}},
    {.system = "Spacelift",
     .marks = {"SPACELIFT_MAX_REQUESTS_BURST", "TF_VAR_spacelift_run_trigger", "SPACELIFT_STORE_HOOKS_ENV_VARS",
               "TF_VAR_spacelift_commit_branch", "SPACELIFT_WORKER_TRACING_ENABLED"}},
    {.system = "TaskCluster", .marks = {"TASK_ID", "RUN_ID"}},
    {.system = "TeamCity", .marks = {"TEAMCITY_VERSION"}},
    {.system = "Travis CI",
     .marks = {"TRAVIS"},
     .build_id = "TRAVIS_JOB_ID",
     .build_number = "TRAVIS_JOB_NUMBER",
     .build_type = "TRAVIS_EVENT_TYPE",
     .build_url = "TRAVIS_BUILD_WEB_URL",
     .sha = "TRAVIS_PULL_REQUEST_SHA",
     .branch = "TRAVIS_BRANCH",
     .commit_message = "TRAVIS_COMMIT_MESSAGE",
     .pull_request = "TRAVIS_PULL_REQUEST"},
};

CiSystem ReadCiVariables(const CiVariables& names) {
  return {names.system,
          CiVariable(names.build_id),
          CiVariable(names.build_number),
          CiVariable(names.build_type),
          CiVariable(names.build_url),
          CiVariable(names.sha),
          CiVariable(names.branch),
          CiVariable(names.commit_message),
          CiVariable(names.pull_request)};
}

CiSystem ReadOwnVariables() {
  return ReadCiVariables({.system = "",
                          .build_id = "PULUMI_CI_BUILD_ID",
                          .build_number = "PULUMI_CI_BUILD_NUMBER",
                          .build_type = "PULUMI_CI_BUILD_TYPE",
                          .build_url = "PULUMI_CI_BUILD_URL",
                          .sha = "PULUMI_CI_PULL_REQUEST_SHA",
                          .branch = "PULUMI_CI_BRANCH_NAME",
                          .commit_message = "PULUMI_COMMIT_MESSAGE",
                          .pull_request = "PULUMI_PR_NUMBER"});
}

// The event that began the run is a file: {"number": 7, "pull_request": {"head": {"sha": .., "ref": ..}}}
void CompleteGitHub(CiSystem* ci) {
  const std::string repository = CiVariable("GITHUB_REPOSITORY");
  if (!repository.empty() && !ci->build_id.empty()) {
    ci->build_url = "https://github.com/" + repository + "/actions/runs/" + ci->build_id;
  }
  const std::string path = CiVariable("GITHUB_EVENT_PATH");
  if (ci->build_type != "pull_request" || path.empty()) return;
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return;
  const nlohmann::json event = ParseJson(*text);
  if (!event.is_object()) return;
  ci->pull_request = std::to_string(IntegerOf(event, "number"));
  const nlohmann::json head = ObjectOf(ObjectOf(event, "pull_request"), "head");
  ci->sha = TextOf(head, "sha");
  ci->branch = TextOf(head, "ref");
}

void CompleteAzure(CiSystem* ci) {
  std::string organization = CiVariable("SYSTEM_TEAMFOUNDATIONCOLLECTIONURI");
  if (organization.ends_with('/')) organization.pop_back();
  ci->build_url = organization + "/" + CiVariable("SYSTEM_TEAMPROJECT") + "/_build/results?buildId=" + ci->build_id;
  // A repository on GitHub has its own numbers for pull requests.
  const bool on_github = CiVariable("BUILD_REPOSITORY_PROVIDER") == "GitHub";
  ci->pull_request =
      CiVariable(on_github ? "SYSTEM_PULLREQUEST_PULLREQUESTNUMBER" : "SYSTEM_PULLREQUEST_PULLREQUESTID");
  if (on_github) ci->sha = CiVariable("SYSTEM_PULLREQUEST_SOURCECOMMITID");
  ci->branch = CiVariable(ci->pull_request.empty() ? "BUILD_SOURCEBRANCHNAME" : "SYSTEM_PULLREQUEST_SOURCEBRANCH");
}

// Values that no single variable has.
void CompleteCi(CiSystem* ci) {
  if (ci->name == "GitHub Actions") return CompleteGitHub(ci);
  if (ci->name == "Azure Pipelines") return CompleteAzure(ci);
  if (ci->pull_request == "false") {  // Buildkite and Travis
    ci->pull_request.clear();
  } else if (ci->name == "Buildkite") {
    ci->build_type = "PullRequest";
  }
  if (ci->name == "Jenkins" && ci->build_id.empty()) ci->build_id = CiVariable("BUILD_ID");
  if (ci->name == "Codefresh") ci->build_type = ci->pull_request.empty() ? "Push" : "PullRequest";
  const std::string origin = CiVariable("BITBUCKET_GIT_HTTP_ORIGIN");
  if (ci->name == "Atlassian Bitbucket Pipelines" && !origin.empty()) {
    ci->build_url = origin + "/addon/pipelines/home#!/results/" + ci->build_id;
  }
}

}  // namespace

CiSystem DetectCiSystem() {
  if (!CiVariable("PULUMI_DISABLE_CI_DETECTION").empty()) return {};
  if (const std::string own = CiVariable("PULUMI_CI_SYSTEM"); !own.empty()) {
    CiSystem ci = ReadOwnVariables();
    ci.name = own;
    return ci;
  }
  for (const CiVariables& names : kKnownSystems) {
    for (const char* mark : names.marks) {
      if (CiVariable(mark).empty()) continue;
      CiSystem ci = ReadCiVariables(names);
      CompleteCi(&ci);
      return ci;
    }
  }
  CiSystem other;
  if (CiVariable("CI_NAME") == "codeship") other.name = "Codeship";
  return other;
}

}  // namespace kingpost
