// SPDX-License-Identifier: Apache-2.0
// Checks which URLs the download of a plugin tries, and in which order.
#include "plugins/plugin_source.h"

#include <catch2/catch.hpp>

namespace kingpost::plugin_source_test {

const PluginPlatform kPlatform = {"linux", "arm64"};

PluginSpec Spec(const std::string& name, const std::string& url = "", const std::string& kind = "resource") {
  PluginSpec spec;
  spec.kind = kind;
  spec.name = name;
  spec.version = "1.2.3";
  spec.download_url = url;
  return spec;
}

// The URLs in order; those of releases with the asset behind a blank. An error as its message.
std::vector<std::string> Urls(const PluginSpec& spec, const SourceSettings& settings = {}) {
  auto endpoints = ArchiveEndpoints(spec, kPlatform, settings);
  if (!endpoints.ok()) return {endpoints.status().message()};
  std::vector<std::string> urls;
  for (const PluginEndpoint& endpoint : *endpoints) {
    urls.push_back(endpoint.url + (endpoint.asset.empty() ? "" : " " + endpoint.asset));
  }
  return urls;
}

std::string Latest(const PluginSpec& spec, const SourceSettings& settings = {}) {
  auto endpoint = LatestVersionEndpoint(spec, settings);
  return endpoint.ok() ? endpoint->url : endpoint.status().message();
}

SourceSettings Overrides(const std::string& text) {
  SourceSettings settings;
  settings.overrides = text;
  return settings;
}

using Strings = std::vector<std::string>;

TEST_CASE("without a URL, GitHub is asked directly, then by its API, then get.pulumi.com") {
  const std::string asset = "pulumi-resource-aws-v1.2.3-linux-arm64.tar.gz";
  CHECK(Urls(Spec("aws")) == Strings{"https://github.com/pulumi/pulumi-aws/releases/download/v1.2.3/" + asset,
                                     "https://api.github.com/repos/pulumi/pulumi-aws/releases/tags/v1.2.3 " + asset,
                                     "https://get.pulumi.com/releases/plugins/" + asset});
  CHECK(Latest(Spec("aws")) == "https://api.github.com/repos/pulumi/pulumi-aws/releases/latest");
}

TEST_CASE("converters and tools have repositories of their own") {
  CHECK(Latest(Spec("aws", "", "converter")).find("/pulumi/pulumi-converter-aws/") != std::string::npos);
  CHECK(Latest(Spec("yaml", "", "converter")).find("/pulumi/pulumi-yaml/") != std::string::npos);
  CHECK(Latest(Spec("esc", "", "tool")).find("/pulumi/pulumi-tool-esc/") != std::string::npos);
  CHECK(Latest(Spec("dotnet", "", "language")).find("/pulumi/pulumi-dotnet/") != std::string::npos);
}

TEST_CASE("github:// and gitlab:// name releases") {
  const std::string asset = "pulumi-resource-x-v1.2.3-linux-arm64.tar.gz";
  CHECK(Urls(Spec("x", "github://api.github.com/acme")) ==
        Strings{"https://api.github.com/repos/acme/pulumi-x/releases/tags/v1.2.3 " + asset});
  CHECK(Urls(Spec("x", "github://git.acme.com/acme/other")) ==
        Strings{"https://git.acme.com/repos/acme/other/releases/tags/v1.2.3 " + asset});
  CHECK(Urls(Spec("x", "gitlab://gitlab.com/4711")) ==
        Strings{"https://gitlab.com/api/v4/projects/4711/releases/v1.2.3/downloads/" + asset});
  CHECK(Latest(Spec("x", "gitlab://gitlab.com/4711")) ==
        "https://gitlab.com/api/v4/projects/4711/releases/permalink/latest");
  CHECK(Urls(Spec("x", "github://api.github.com")).front().find("github:// url must have the format") == 0);
  CHECK(Urls(Spec("x", "github://api.github.com/a/b/c")).front().find("github:// url must have the format") == 0);
  CHECK(Urls(Spec("x", "gitlab://gitlab.com/a/b")).front().find("gitlab:// url must have the format") == 0);
}

TEST_CASE("an http:// URL names a folder, with placeholders") {
  CHECK(Urls(Spec("x", "http://127.0.0.1:80/files/")) ==
        Strings{"http://127.0.0.1:80/files/pulumi-resource-x-v1.2.3-linux-arm64.tar.gz"});
  CHECK(Urls(Spec("x", "https://acme.com/${NAME}/v${VERSION}/${OS}-${ARCH}")) ==
        Strings{"https://acme.com/x/v1.2.3/linux-arm64/pulumi-resource-x-v1.2.3-linux-arm64.tar.gz"});
  PluginSpec built = Spec("x", "https://acme.com/$%7BVERSION%7D");
  built.version = "1.2.3+build.4";
  CHECK(Urls(built) ==
        Strings{"https://acme.com/1.2.3%2Bbuild.4/pulumi-resource-x-v1.2.3%2Bbuild.4-linux-arm64.tar.gz"});
  CHECK(Latest(Spec("x", "https://acme.com")).find("GetLatestVersion is not supported for plugins from http") == 0);
}

TEST_CASE("other schemes are refused") {
  CHECK(Urls(Spec("x", "ftp://acme.com")).front().find("unknown plugin source scheme: \"ftp\"") == 0);
  CHECK(Urls(Spec("x", "acme.com/files")).front().find("unknown plugin source scheme: \"\"") == 0);
}

TEST_CASE("overrides replace a source by the first pattern that fits") {
  const Strings mirror = {"https://mirror/pulumi-resource-aws-v1.2.3-linux-arm64.tar.gz"};
  CHECK(Urls(Spec("aws"), Overrides("^gitlab=https://no,^github://=https://mirror,aws=https://late")) == mirror);
  CHECK(Urls(Spec("aws", "https://acme.com/aws"), Overrides("acme=https://mirror")) == mirror);
  CHECK(Urls(Spec("aws", "https://acme.com/aws"), Overrides("^acme=https://mirror")).front().find("https://acme") == 0);
  CHECK(Urls(Spec("aws"), Overrides("^github://api.github.com/(?P<org>[^/]+)/(?P<repo>[^/]+)="
                                    "https://mirror/${org}/$2/${repo}")) ==
        Strings{"https://mirror/pulumi/pulumi-aws/pulumi-aws/pulumi-resource-aws-v1.2.3-linux-arm64.tar.gz"});
  // The last of the usual sources has a URL of its own.
  const Strings urls = Urls(Spec("aws"), Overrides("^https://get.pulumi.com=https://mirror"));
  REQUIRE(urls.size() == 3);
  CHECK(urls.back() == mirror.front());
}

TEST_CASE("overrides are regular expressions as Go has them") {
  const std::pair<const char*, const char*> cases[] = {
      {"(?i)^GITHUB://(?P<host>[[:alnum:].]+)/=https://m/${host}", "https://m/api.github.com"},
      {"^github://(?<host>[\\w.]+)/(?P<owner>\\pL+)\\b=https://m/${owner}/${host}", "https://m/pulumi/api.github.com"},
      {"\\Agithub://.*\\z=https://m", "https://m"}};
  for (const auto& [overrides, begin] : cases) {
    const auto urls = Urls(Spec("x"), Overrides(overrides));
    INFO(overrides << ": " << urls.front());
    CHECK(urls.front().starts_with(begin));
  }
  // This pattern takes backtracking engines for ever, but not Go's.
  const auto slow = Urls(Spec(std::string(5000, 'a')), Overrides("(a*)*(a*)*(a*)*b$=https://m"));
  CHECK_FALSE(slow.front().starts_with("https://m"));
}

TEST_CASE("unreadable overrides are an error that names the variable") {
  for (const char* text : {"a", "=b", "a=", "a=b=c", "a=b,"}) {
    INFO(text);
    const std::string said = Urls(Spec("zzz", "https://q"), Overrides(text)).front();
    if (std::string(text) == "a=b,") {
      CHECK(said.find("https://q/") == 0);
    } else {
      CHECK(said.find("PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: expected format") == 0);
    }
  }
  CHECK(Urls(Spec("x"), Overrides("(=https://m")).front().find("is not a regular expression") != std::string::npos);
}

TEST_CASE("tokens go to the hosts they are for, and not to plain downloads") {
  SourceSettings settings = {"elsewhere=github://ghe.acme.community/a,there=github://ghe.acme.com/a/b",
                             "hub",
                             "lab",
                             {"hub.acme.com"},
                             {"lab.acme.com"}};
  auto sent = [&settings](const PluginSpec& spec) {
    std::string all;
    for (const PluginEndpoint& endpoint : *ArchiveEndpoints(spec, kPlatform, settings)) {
      std::string token = "-";
      for (const auto& [name, value] : endpoint.headers) {
        if (name == "Authorization") token = value;
      }
      all += token + endpoint.withheld_variable + ";";
    }
    return all;
  };
  CHECK(sent(Spec("aws")) == "-;token hub;-;");
  CHECK(sent(Spec("x", "gitlab://gitlab.com/1")) == "Bearer lab;");
  CHECK(sent(Spec("x", "https://acme.com")) == "-;");
  // Tokens go to the hosts that the user named, and not to those that only a program or a provider names.
  CHECK(sent(Spec("x", "github://hub.acme.com/a/b")) == "token hub;");
  CHECK(sent(Spec("x", "github://api.hub.acme.com/a/b")) == "token hub;");
  CHECK(sent(Spec("x", "github://ghe.acme.com/a/b")) == "token hub;");
  CHECK(sent(Spec("x", "gitlab://lab.acme.com/1")) == "Bearer lab;");
  CHECK(sent(Spec("x", "github://lab.acme.com/a/b")) == "-GITHUB_TOKEN;");
  CHECK(sent(Spec("x", "gitlab://hub.acme.com/1")) == "-GITLAB_TOKEN;");
  CHECK(sent(Spec("x", "github://evil-github.com/a/b")) == "-GITHUB_TOKEN;");
  CHECK(sent(Spec("x", "github://github.com.evil.com/a/b")) == "-GITHUB_TOKEN;");
  CHECK(sent(Spec("x", "github://ghe.acme.co/a/b")) == "-GITHUB_TOKEN;");
  settings.github_token.clear();
  CHECK(sent(Spec("x", "github://evil-github.com/a/b")) == "-;");
}

TEST_CASE("missing versions and URLs of well-known plugins are filled in") {
  PluginSpec verse = Spec("scaleway");
  CompletePluginSpec(&verse);
  CHECK(verse.download_url == "github://api.github.com/pulumiverse");
  PluginSpec own = Spec("scaleway", "https://acme.com");
  CompletePluginSpec(&own);
  CHECK(own.download_url == "https://acme.com");
  for (const auto& [name, version] :
       std::vector<std::pair<std::string, std::string>>{{"hcl", "0.19.1"}, {"java", "1.39.0"}, {"opa", "1.1.3"}}) {
    INFO(name);
    PluginSpec given = Spec(name, "", "language"), pinned = given;
    CompletePluginSpec(&given);
    CHECK(given.version == "1.2.3");
    pinned.version.clear();
    CompletePluginSpec(&pinned);
    CHECK(pinned.version == version);
    CHECK(pinned.download_url.empty() == (name != "opa"));
  }
  PluginSpec opa = Spec("opa", "", "language");
  CompletePluginSpec(&opa);
  CHECK(opa.download_url == "github://api.github.com/pulumi/pulumi-policy-opa");
  CHECK(IsDownloadableLanguage("dotnet"));
  CHECK_FALSE(IsDownloadableLanguage("pyhton"));
}

TEST_CASE("versions and assets are read from the answers of release servers") {
  CHECK(*VersionOfRelease(R"({"tag_name": "v3.4"})") == "3.4.0");
  CHECK_FALSE(VersionOfRelease(R"({"tag_name": "latest"})").ok());
  CHECK_FALSE(VersionOfRelease("not json").ok());
  CHECK(*UrlOfAsset(R"({"assets": [{"name": "a", "url": "u1"}, {"name": "b", "url": "u2"}]})", "b") == "u2");
  CHECK(UrlOfAsset("{}", "b").status().message() == "plugin asset 'b' not found");
}

}  // namespace kingpost::plugin_source_test
