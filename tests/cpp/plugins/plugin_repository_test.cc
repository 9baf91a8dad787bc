// SPDX-License-Identifier: Apache-2.0
// Checks addresses of plugins in git repositories, and the version that each means.
#include "plugins/plugin_repository.h"

#include <catch2/catch.hpp>

namespace kingpost::plugin_repository_test {

struct Address {
  const char *source, *url, *name, *inside, *download_url;
};

TEST_CASE("an address of a repository gives the URL to clone, and the names for the cache and for packages",
          "[plugins]") {
  const auto [source, url, name, inside, download_url] = GENERATE(values<Address>({
      {"github.com/Acme/x", "https://github.com/Acme/x.git", "github.com_Acme_x.git", "", "git://github.com/Acme/x"},
      {"https://github.com/acme/x.git", "https://github.com/acme/x.git", "github.com_acme_x.git", "",
       "git://github.com/acme/x.git"},
      {"https://localhost:8443/acme/x.git/d", "https://localhost:8443/acme/x.git", "localhost:8443_acme_x.git_d", "d",
       "git://localhost:8443/acme/x.git/d"},
      {"git://github.com/acme/x/a/b", "https://github.com/acme/x.git", "github.com_acme_x.git_a_b", "a/b",
       "git://github.com/acme/x/a/b"},
      {"gitlab.com/a/b/c.git/d/", "https://gitlab.com/a/b/c.git", "gitlab.com_a_b_c.git_d", "d",
       "git://gitlab.com/a/b/c.git/d/"},
      {"https://me:secret@github.com/acme/x/d", "https://me:secret@github.com/acme/x.git", "github.com_acme_x.git_d",
       "d", "git://github.com/acme/x/d"},
      {"file:///srv/acme/x.git/d", "file:///srv/acme/x.git", "_srv_acme_x.git_d", "d", "git:///srv/acme/x.git/d"},
      {"git:///srv/acme/x.git/d", "file:///srv/acme/x.git", "_srv_acme_x.git_d", "d", "git:///srv/acme/x.git/d"},
      {"ssh://git@h.test/acme/x", "ssh://git@h.test/acme/x.git", "h.test_acme_x.git", "", "git+ssh://h.test/acme/x"},
      {"git+http://h.test/acme/x", "http://h.test/acme/x.git", "h.test_acme_x.git", "", "git+http://h.test/acme/x"},
  }));
  CAPTURE(source);
  const auto repository = ParseRepository(source);
  REQUIRE(repository);
  CHECK(repository->url == url);
  CHECK(repository->name == name);
  CHECK(repository->inside == inside);
  CHECK(repository->download_url == download_url);
  CHECK(repository->owner == (repository->name.starts_with("gitlab") ? "a" : "acme"));
  CHECK(IsRepositoryUrl(download_url));
  CHECK(CacheNameOf("any", download_url) == name);
}

TEST_CASE("names of packages and paths are no addresses of repositories", "[plugins]") {
  const auto source =
      GENERATE("random", "random@1.0.0", "acme/random", "acme/a/b", "localhost:8443/a/b", "./github.com", "github.com",
               "github.com/acme", "github.com/acme/x/../../etc", "https://github.com/acme/");
  CAPTURE(source);
  CHECK_FALSE(ParseRepository(source));
  CHECK(CacheNameOf("a/b", "https://a.test") == "a_b");
}

TEST_CASE("a version follows the last @, which may also belong to a user", "[plugins]") {
  using Pair = std::pair<std::string, std::string>;
  CHECK(SplitVersion("h.test/a/b@1.0") == Pair{"h.test/a/b", "1.0"});
  CHECK(SplitVersion("https://me@h.test/a/b") == Pair{"https://me@h.test/a/b", ""});
  CHECK(SplitVersion("https://me@h.test/a/b@v2") == Pair{"https://me@h.test/a/b", "v2"});
  CHECK(SplitVersion("random@4.16.0") == Pair{"random", "4.16.0"});
}

constexpr char kHead[] = "0123456789012345678901234567890123456789";

std::string Chosen(const std::string& tags, const std::string& wanted) {
  const auto repository = ParseRepository("h.test/a/b");
  std::string listing = std::string(kHead) + "\tHEAD\n" + kHead + "\trefs/heads/main\n" + tags;
  const auto chosen = ChooseVersion(*repository, listing, wanted);
  return chosen.ok() ? chosen->version + " " + chosen->ref : chosen.status().message();
}

TEST_CASE("the version of a repository is a tag, or the newest commit", "[plugins]") {
  const std::string tags =
      "x\trefs/tags/v1.0.0\nx\trefs/tags/1.10.0\nx\trefs/tags/v1.9.0\nx\trefs/tags/v2.0.0-rc\nx\trefs/tags/"
      "v1.10.0^{}\n";
  const std::string newest = std::string("0.0.0-x") + kHead + " " + kHead;
  CHECK(Chosen(tags, "") == "1.10.0 1.10.0");
  CHECK(Chosen(tags, "1.9.0") == "1.9.0 v1.9.0");
  CHECK(Chosen("x\trefs/tags/v2.0.0-rc\n", "") == "2.0.0-rc v2.0.0-rc");
  CHECK(Chosen("x\trefs/tags/stable\n", "") == newest);
  CHECK(Chosen(tags, "0.0.0") == newest);
  CHECK(Chosen(tags, "3.0.0").find("has no tag for the version 3.0.0") != std::string::npos);
}

TEST_CASE("commits are versions of their own", "[plugins]") {
  CHECK(CommitVersion("deadbeef")->version == "0.0.0-xdeadbeef");
  CHECK(CommitVersion("0.0.0-xdeadbeef")->ref == "deadbeef");
  CHECK_FALSE(CommitVersion("1.0.0"));
  CHECK_FALSE(CommitVersion("1234567"));  // which is a version: 1234567.0.0
  CHECK_FALSE(CommitVersion("main"));
  CHECK_FALSE(CommitVersion("abc"));
}

}  // namespace kingpost::plugin_repository_test
