// SPDX-License-Identifier: Apache-2.0
// Where a plugin can be downloaded from (row 2.18): which URLs to ask, in which order, with which headers, and what
// their answers mean. Asks nothing itself; pure.
//
//   no URL                    releases of github.com/pulumi/pulumi-NAME, then get.pulumi.com
//   github://HOST/ORG[/REPO]  releases, by GitHub's API
//   gitlab://HOST/PROJECT     releases
//   http(s)://...             a folder of archives; ${NAME}, ${VERSION}, ${OS} and ${ARCH} in the URL are filled in
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct PluginSpec {
  std::string kind;     // "resource", "language", "analyzer", "converter", "tool"
  std::string name;     // "aws"
  std::string version;  // "6.1.0"; "" until the latest one is known
  std::string download_url;
  std::map<std::string, std::string> checksums;  // "linux-amd64" -> the 32 bytes of a SHA-256

  std::string id() const { return version.empty() ? name : name + "-" + version; }
  std::string executable() const { return "pulumi-" + kind + "-" + name; }
};

struct PluginPlatform {
  std::string os, arch;  // as Go calls them

  static PluginPlatform Here();
  std::string key() const { return os + "-" + arch; }
};

struct SourceSettings {
  std::string overrides;  // "regexp=URL,..." applied to the URL of a source
  std::string github_token, gitlab_token;
  // The hosts of the tokens, beside github.com, gitlab.com and the hosts of `overrides`. A program and its providers
  // may name any host as the source of a plugin, and get no token for that.
  std::vector<std::string> github_hosts, gitlab_hosts;

  // PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES; GITHUB_TOKEN with GH_HOST, GITHUB_SERVER_URL and GITHUB_API_URL; GITLAB_TOKEN
  // with GITLAB_HOST and CI_SERVER_HOST.
  static SourceSettings FromEnvironment();
};

// One thing to try. What it answers is the archive, or the description of a release that lists its archives.
struct PluginEndpoint {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string asset;                   // not "": the answer is a release, whose file of that name is wanted
  std::string withheld_variable = {};  // the variable whose token was not sent, because it does not belong to the host
};

// To be tried in order. `spec` has a version.
Result<std::vector<PluginEndpoint>> ArchiveEndpoints(const PluginSpec& spec, const PluginPlatform& platform,
                                                     const SourceSettings& settings);
// The URL of the latest version. Fails for sources that cannot.
Result<PluginEndpoint> LatestVersionEndpoint(const PluginSpec& spec, const SourceSettings& settings);

// The version in what a LatestVersionEndpoint answered; the URL of a file in what a release endpoint did.
Result<std::string> VersionOfRelease(const std::string& json);
Result<std::string> UrlOfAsset(const std::string& json, const std::string& asset);

// Fills in the open fields of `spec` for known plugins that live elsewhere or that have one version.
void CompletePluginSpec(PluginSpec* spec);
// The languages whose host is a plugin that can be downloaded when it is missing.
bool IsDownloadableLanguage(const std::string& name);

}  // namespace kingpost
