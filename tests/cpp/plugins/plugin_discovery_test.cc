// SPDX-License-Identifier: Apache-2.0
// Checks where plugins are found, and which of several versions is chosen.
#include "plugins/plugin_discovery.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "processes/plugin_process.h"
#include "support/temp_folder.h"

namespace kingpost::plugin_discovery_test {

namespace fs = std::filesystem;

class Cache {
 public:
  Cache() {
    options.cache_folder = (path_ / "plugins").string();
    options.project_folder = path_.string();
    options.search_path = false;
    fs::create_directories(options.cache_folder);
  }
  void Add(const std::string& folder, const std::string& executable) const {
    const fs::path file = path_ / folder / executable;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n";
    chmod(file.c_str(), 0755);
  }
  const TempFolder temporary_;
  const fs::path path_{temporary_.path()};
  DiscoveryOptions options;
};

std::string VersionFound(const Cache& cache, const std::string& version) {
  auto found = FindPlugin({"resource", "aws", version}, cache.options);
  return found.ok() ? found->version : found.status().message();
}

TEST_CASE("the version asked for is taken, else the highest stable one") {
  Cache cache;
  for (const char* version : {"5.0.0", "6.10.0", "6.9.0", "7.0.0-alpha.1"}) {
    cache.Add(std::string("plugins/resource-aws-v") + version, "pulumi-resource-aws");
  }
  cache.Add("plugins/resource-aws-v9.0.0", "pulumi-resource-aws");
  std::ofstream(cache.path_ / "plugins/resource-aws-v9.0.0.partial") << "";
  cache.Add("plugins/resource-aws-native-v9.0.0", "pulumi-resource-aws-native");
  CHECK(VersionFound(cache, "") == "6.10.0");
  CHECK(VersionFound(cache, "5.0.0") == "5.0.0");
  CHECK(VersionFound(cache, "7.0.0-alpha.1") == "7.0.0-alpha.1");
  const std::string missing = VersionFound(cache, "6.0.0");
  CHECK(missing.find("no resource plugin 'pulumi-resource-aws' found in the workspace at version v6.0.0: put it at ") ==
        0);
  CHECK(missing.find('\n') == std::string::npos);
}

TEST_CASE("another version of a plugin that was installed after a given time is found") {
  constexpr int64_t kInstalled = 1'700'000'000;
  Cache cache;
  cache.Add("plugins/resource-aws-v5.0.0", "pulumi-resource-aws");
  cache.Add("plugins/resource-aws-v6.0.0", "pulumi-resource-aws");
  cache.Add("plugins/resource-gcp-v9.0.0", "pulumi-resource-gcp");
  const timespec times[2] = {{kInstalled, 0}, {kInstalled, 0}};
  REQUIRE(utimensat(AT_FDCWD, (cache.path_ / "plugins/resource-aws-v6.0.0").c_str(), times, 0) == 0);
  const auto is_installed = [&](const std::string& name, const std::string& version, int64_t since) {
    return IsOtherVersionInstalledSince({"resource", name, version}, cache.options, since);
  };
  CHECK(is_installed("aws", "5.0.0", kInstalled - 1));
  CHECK_FALSE(is_installed("aws", "5.0.0", kInstalled));
  CHECK(is_installed("aws", "6.0.0", kInstalled));  // 5.0.0 is newer on this disk
  CHECK_FALSE(is_installed("aws", "", 0));
  CHECK_FALSE(is_installed("gcp", "9.0.0", 0));
  CHECK_FALSE(is_installed("azure", "1.0.0", 0));
}

TEST_CASE("the project's own plugins come first, as executables or folders") {
  Cache cache;
  cache.Add("plugins/resource-aws-v5.0.0", "pulumi-resource-aws");
  cache.Add("mine", "pulumi-resource-aws");
  fs::create_directories(cache.path_ / "source");
  cache.options.provider_plugins = {{"aws", "", "mine"}, {"gcp", "1.0.0", "source"}};
  auto aws = FindPlugin({"resource", "aws", "5.0.0"}, cache.options);
  REQUIRE(aws.ok());
  CHECK(aws->path == (cache.path_ / "mine/pulumi-resource-aws").string());
  auto gcp = FindPlugin({"resource", "gcp", "1.0.0"}, cache.options);
  REQUIRE(gcp.ok());
  CHECK(gcp->is_directory);
  CHECK_FALSE(FindPlugin({"resource", "gcp", "2.0.0"}, cache.options).ok());
}

TEST_CASE("packages of a project's own plugins are found, after those of the project itself") {
  Cache cache;
  const auto path = [&](const std::string& file) { return (cache.path_ / file).string(); };
  cache.Add("components", "index.js");
  Spit(path("components/PulumiPlugin.yaml"), "runtime: nodejs\npackages: {inner: ./inner, mine: ./theirs}\n");
  for (const char* folder : {"components/inner", "components/theirs", "mine"}) cache.Add(folder, "PulumiPlugin.yaml");
  Spit(path("Pulumi.yaml"), "name: site\npackages: {components: ./components, mine: " + path("mine") + "}\n");
  const auto project = Project::Load(path("Pulumi.yaml"));
  REQUIRE(project.ok());
  const DiscoveryOptions options = DiscoveryOptions::FromEnvironment(*project);
  CHECK(FindPlugin({"resource", "inner", "1.0.0"}, options)->path == path("components/inner"));
  CHECK(FindPlugin({"resource", "mine", ""}, options)->path == path("mine"));
}

TEST_CASE("a running provider is found by PULUMI_DEBUG_PROVIDERS") {
  setenv("PULUMI_DEBUG_PROVIDERS", "aws:1234,gcp:x,bad", 1);
  CHECK(*DebugProviderPort("aws") == 1234);
  CHECK(*DebugProviderPort("azure") == 0);
  CHECK_FALSE(DebugProviderPort("gcp").ok());
  CHECK_FALSE(DebugProviderPort("bad").ok());
  unsetenv("PULUMI_DEBUG_PROVIDERS");
}

TEST_CASE("a dynamic provider that came with Pulumi is not taken from PATH, one of the user's is") {
  Cache cache;
  cache.options.search_path = true;
  cache.Add("pulumi/bin", "pulumi");
  cache.Add("pulumi/bin", "pulumi-resource-pulumi-python");
  cache.Add("pulumi/bin", "pulumi-resource-aws");
  cache.Add("own", "pulumi-resource-pulumi-python");
  fs::create_directories(cache.path_ / "links");
  fs::create_symlink(cache.path_ / "pulumi/bin/pulumi-resource-pulumi-python",
                     cache.path_ / "links/pulumi-resource-pulumi-python");
  const std::string before = std::getenv("PATH");
  const auto found = [&cache](const std::string& folder, const std::string& name) {
    setenv("PATH", (cache.path_ / folder).c_str(), 1);
    const auto plugin = FindPlugin({"resource", name, ""}, cache.options);
    return plugin.ok() ? plugin->path : "";
  };
  CHECK(found("pulumi/bin", "pulumi-python").empty());
  CHECK(found("links", "pulumi-python").empty());
  CHECK(found("own", "pulumi-python") == cache.path_ / "own/pulumi-resource-pulumi-python");
  CHECK(found("pulumi/bin", "aws") == cache.path_ / "pulumi/bin/pulumi-resource-aws");
  setenv("PATH", before.c_str(), 1);
}

TEST_CASE("a plugin that another user has put into an open folder of PATH is not run") {
  if (geteuid() != 0) return;  // only root can make files of others
  Cache cache;
  cache.Add("open/bin", "pulumi-resource-aws");
  cache.options.search_path = true;
  const fs::path folder = cache.path_ / "open/bin";
  const fs::path file = folder / "pulumi-resource-aws";
  const std::string before = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  const auto found = [&cache, &file](mode_t mode, uid_t owner) {
    REQUIRE(chmod(file.parent_path().c_str(), mode) == 0);
    REQUIRE(chown(file.c_str(), owner, owner) == 0);
    const auto plugin = FindPlugin({"resource", "aws", ""}, cache.options);
    return plugin.ok() ? plugin->path : plugin.status().message();
  };
  constexpr uid_t kNobody = 65534;
  CHECK(found(0755, kNobody) == file);
  CHECK(found(0777, 0) == file);
  CHECK_THAT(found(01777, kNobody), Catch::Contains("is not run: user 65534 has put it into a folder of your $PATH"));
  setenv("KINGPOST_TRUST_LOCAL_USERS", "true", 1);
  CHECK(found(0777, kNobody) == file);
  unsetenv("KINGPOST_TRUST_LOCAL_USERS");
  setenv("PATH", before.c_str(), 1);
}

TEST_CASE("the port is read from a plugin's first line, whatever surrounds it") {
  CHECK(*ParsePort("12345") == 12345);
  CHECK(*ParsePort(" 12345 \r") == 12345);
  CHECK(*ParsePort("\x1b]9;4;3;\x1b\\12345") == 12345);
  for (const char* bad : {"", "0", "65536", "-1", "12x", "Hello", "1 2"}) CHECK_FALSE(ParsePort(bad).ok());
}

}  // namespace kingpost::plugin_discovery_test
