// SPDX-License-Identifier: Apache-2.0
// Checks what the history records about a run: the Git remote and the CI system, from their variables.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <string>

#include "cli/metadata/ci_system.h"
#include "cli/metadata/git_repository.h"
#include "cli/session/variables.h"

namespace kingpost::metadata_test {

namespace {

// Sets variables as long as it lives, and unsets those that a CI system around this test may have set.
class Variables {
 public:
  explicit Variables(std::map<std::string, std::string> wanted) {
    for (const char* name : {"GITHUB_ACTIONS", "GITLAB_CI", "TRAVIS", "BUILDKITE", "PULUMI_CI_SYSTEM", "CI_NAME",
                             "JENKINS_URL", "PULUMI_DISABLE_CI_DETECTION", "GITHUB_EVENT_PATH"}) {
      ::unsetenv(name);
    }
    for (const auto& [name, value] : wanted) ::setenv(name.c_str(), value.c_str(), 1);
    names_ = std::move(wanted);
  }
  ~Variables() {
    for (const auto& [name, value] : names_) ::unsetenv(name.c_str());
  }

 private:
  std::map<std::string, std::string> names_;
};

}  // namespace

TEST_CASE("a remote leads to an owner, a repository and a host", "[cli][metadata]") {
  struct Row {
    const char *url, *owner, *repository, *host;
  };
  const Row rows[] = {
      {"git@github.com:acme/shop.git", "acme", "shop", "github.com"},
      {"https://github.com/acme/shop.git", "acme", "shop", "github.com"},
      {"https://user:secret@gitlab.com/acme/group/shop", "acme", "group/shop", "gitlab.com"},
      {"ssh://git@gitlab.com/acme/group/shop.git", "acme", "group/shop", "gitlab.com"},
      {"git@ssh.dev.azure.com:v3/acme/site/shop", "acme", "site/_git/shop", "dev.azure.com"},
      {"https://dev.azure.com/acme/site/_git/shop", "acme", "site/_git/shop", "dev.azure.com"},
      {"https://acme.visualstudio.com/site/_git/shop", "acme", "site/_git/shop", "dev.azure.com"},
  };
  for (const Row& row : rows) {
    const auto address = ParseRemoteUrl(row.url);
    INFO(row.url);
    REQUIRE(address);
    CHECK(address->owner == row.owner);
    CHECK(address->repository == row.repository);
    CHECK(address->host == row.host);
  }
  CHECK_FALSE(ParseRemoteUrl("/srv/git/shop.git"));
  CHECK_FALSE(ParseRemoteUrl("https://github.com/shop"));
}

TEST_CASE("the CI system is known by its variables", "[cli][metadata]") {
  {
    const Variables none({});
    CHECK(DetectCiSystem().name.empty());
  }
  {
    const Variables gitlab({{"GITLAB_CI", "true"}, {"CI_PIPELINE_IID", "7"}, {"CI_JOB_URL", "https://gitlab/7"}});
    CHECK(DetectCiSystem().name == "GitLab CI/CD");
    CHECK(DetectCiSystem().build_number == "7");
    CHECK(DetectCiSystem().build_url == "https://gitlab/7");
  }
  {
    const Variables travis({{"TRAVIS", "true"}, {"TRAVIS_PULL_REQUEST", "false"}});
    CHECK(DetectCiSystem().pull_request.empty());
  }
  {
    const Variables own({{"PULUMI_CI_SYSTEM", "Ours"}, {"GITLAB_CI", "true"}, {"PULUMI_CI_BUILD_ID", "3"}});
    CHECK(DetectCiSystem().name == "Ours");
    CHECK(DetectCiSystem().build_id == "3");
  }
  const Variables off({{"GITLAB_CI", "true"}, {"PULUMI_DISABLE_CI_DETECTION", "1"}});
  CHECK(DetectCiSystem().name.empty());
}

TEST_CASE("metadata shows whether a variable is set, and the value of a switch", "[cli][metadata]") {
  CHECK(HistoryTextOf("PULUMI_CONFIG_PASSPHRASE", "hunter22") == "set");
  CHECK(HistoryTextOf("PULUMI_SKIP_CONFIRMATIONS", "True") == "true");
  CHECK(HistoryTextOf("PULUMI_SKIP_CONFIRMATIONS", "no") == "false");
}

}  // namespace kingpost::metadata_test
