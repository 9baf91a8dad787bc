// SPDX-License-Identifier: Apache-2.0
#include "cli/metadata/ci_system.h"

#include <vector>

#include "base/json_access.h"
#include "base/os.h"
#include "store/durable_file.h"

namespace kingpost {

namespace {

std::string CiVariable(const char* name) { return name ? GetEnvironment(name) : ""; }

// Which variable holds what, for the systems that keep it in variables as it is. Null: it does not tell.
struct CiVariables {
  const char* system;
  std::vector<const char*> marks;  // any of them tells that it is this system
  const char* build_id = nullptr;
  const char* build_number = nullptr;
  const char* build_type = nullptr;
  const char* build_url = nullptr;
  const char* sha = nullptr;
  const char* branch = nullptr;
  const char* commit_message = nullptr;
  const char* pull_request = nullptr;
};

const std::vector<CiVariables>& KnownSystems() {
  static const std::vector<CiVariables> systems = {
      {"AppVeyor", {"APPVEYOR"}},
      {"AWS CodeBuild", {"CODEBUILD_BUILD_ARN"}},
      {"Atlassian Bamboo", {"bamboo_planKey"}},
      {"Atlassian Bitbucket Pipelines",
       {"BITBUCKET_COMMIT"},
       "BITBUCKET_BUILD_NUMBER",
       nullptr,
       nullptr,
       nullptr,
       "BITBUCKET_COMMIT",
       "BITBUCKET_BRANCH",
       nullptr,
       "BITBUCKET_PR_ID"},
      {"Azure Pipelines",
       {"TF_BUILD"},
       "BUILD_BUILDID",
       nullptr,
       "BUILD_REASON",
       nullptr,
       "BUILD_SOURCEVERSION",
       nullptr,
       "BUILD_SOURCEVERSIONMESSAGE",
       nullptr},
      {"Buildkite",
       {"BUILDKITE"},
       "BUILDKITE_BUILD_ID",
       "BUILDKITE_BUILD_NUMBER",
       "BUILDKITE_SOURCE",
       "BUILDKITE_BUILD_URL",
       "BUILDKITE_COMMIT",
       "BUILDKITE_BRANCH",
       "BUILDKITE_MESSAGE",
       "BUILDKITE_PULL_REQUEST"},
      {"CircleCI",
       {"CIRCLECI"},
       "CIRCLE_BUILD_NUM",
       nullptr,
       nullptr,
       "CIRCLE_BUILD_URL",
       "CIRCLE_SHA1",
       "CIRCLE_BRANCH",
       nullptr,
       nullptr},
      {"Codefresh",
       {"CF_BUILD_URL"},
       "CF_BUILD_ID",
       nullptr,
       nullptr,
       "CF_BUILD_URL",
       "CF_REVISION",
       "CF_BRANCH",
       "CF_COMMIT_MESSAGE",
       "CF_PULL_REQUEST_NUMBER"},
      {"Drone", {"DRONE"}},
      {"GitHub Actions",
       {"GITHUB_ACTIONS"},
       "GITHUB_RUN_ID",
       "GITHUB_RUN_NUMBER",
       "GITHUB_EVENT_NAME",
       nullptr,
       "GITHUB_SHA",
       "GITHUB_REF",
       nullptr,
       nullptr},
      {"GitLab CI/CD",
       {"GITLAB_CI"},
       "CI_PIPELINE_ID",
       "CI_PIPELINE_IID",
       "CI_PIPELINE_SOURCE",
       "CI_JOB_URL",
       "CI_COMMIT_SHA",
       "CI_COMMIT_REF_NAME",
       "CI_COMMIT_MESSAGE",
       "CI_MERGE_REQUEST_IID"},
      {"GoCD", {"GO_PIPELINE_LABEL"}},
      {"Hudson", {"HUDSON_URL"}},
      {"Jenkins",
       {"JENKINS_URL"},
       "BUILD_NUMBER",
       nullptr,
       nullptr,
       "BUILD_URL",
       "GIT_COMMIT",
       "GIT_BRANCH",
       nullptr,
       nullptr},
      {"Magnum CI", {"MAGNUM"}},
      {"Semaphore", {"SEMAPHORE"}},
      {"Spacelift",
       {"SPACELIFT_MAX_REQUESTS_BURST", "TF_VAR_spacelift_run_trigger", "SPACELIFT_STORE_HOOKS_ENV_VARS",
        "TF_VAR_spacelift_commit_branch", "SPACELIFT_WORKER_TRACING_ENABLED"},
       nullptr,
       nullptr,
       nullptr,
       nullptr,
       nullptr,
       nullptr,
       nullptr,
       nullptr},
      {"TaskCluster", {"TASK_ID", "RUN_ID"}},
      {"TeamCity", {"TEAMCITY_VERSION"}},
      {"Travis CI",
       {"TRAVIS"},
       "TRAVIS_JOB_ID",
       "TRAVIS_JOB_NUMBER",
       "TRAVIS_EVENT_TYPE",
       "TRAVIS_BUILD_WEB_URL",
       "TRAVIS_PULL_REQUEST_SHA",
       "TRAVIS_BRANCH",
       "TRAVIS_COMMIT_MESSAGE",
       "TRAVIS_PULL_REQUEST"},
  };
  return systems;
}

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
  return ReadCiVariables({"",
                          {},
                          "PULUMI_CI_BUILD_ID",
                          "PULUMI_CI_BUILD_NUMBER",
                          "PULUMI_CI_BUILD_TYPE",
                          "PULUMI_CI_BUILD_URL",
                          "PULUMI_CI_PULL_REQUEST_SHA",
                          "PULUMI_CI_BRANCH_NAME",
                          "PULUMI_COMMIT_MESSAGE",
                          "PULUMI_PR_NUMBER"});
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

// What one variable alone does not say.
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
  for (const CiVariables& names : KnownSystems()) {
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
