// SPDX-License-Identifier: Apache-2.0
#include "plugins/plugin_source.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/json_access.h"
#include "base/os.h"
#include "base/text.h"
#include "base/url_masking.h"
#include "model/semver.h"
#include "remote/http/http_client.h"

namespace kingpost {

namespace {

constexpr char kGithubHost[] = "api.github.com";
constexpr char kOwner[] = "pulumi";
constexpr char kFallbackUrl[] = "https://get.pulumi.com/releases/plugins";

// Published by a community, under its own name.
constexpr std::string_view kPulumiverse[] = {"acme",
                                             "aquasec",
                                             "astra",
                                             "aws-eksa",
                                             "buildkite",
                                             "clickhouse",
                                             "cockroach",
                                             "concourse",
                                             "cpln",
                                             "configcat",
                                             "doppler",
                                             "dynatrace",
                                             "esxi-native",
                                             "exoscale",
                                             "fortios",
                                             "gandi",
                                             "grafana",
                                             "github-credentials",
                                             "googleworkspace",
                                             "harbor",
                                             "hcp",
                                             "heroku",
                                             "ibm",
                                             "matchbox",
                                             "mssql",
                                             "ngrok",
                                             "purrl",
                                             "redpanda",
                                             "scaleway",
                                             "sentry",
                                             "statuscake",
                                             "talos",
                                             "time",
                                             "unifi",
                                             "vercel",
                                             "vra",
                                             "zitadel"};
constexpr char kPulumiverseUrl[] = "github://api.github.com/pulumiverse";

// Languages whose host is published by itself: the version to take if one is pinned, and where it is if not with the
// other plugins.
struct PublishedLanguage {
  std::string_view name, version, url;
};
constexpr PublishedLanguage kLanguages[] = {{"dotnet", "", ""},
                                            {"java", "1.39.0", ""},
                                            {"yaml", "", ""},
                                            {"hcl", "0.19.1", ""},
                                            {"opa", "1.1.3", "github://api.github.com/pulumi/pulumi-policy-opa"}};

// As Go escapes a query.
std::string Escape(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (unsigned char c : text) {
    if (std::isalnum(c) || c == '-' || c == '_' || c == '.' || c == '~') {
      out += static_cast<char>(c);
    } else if (c == ' ') {
      out += '+';
    } else {
      out += {'%', kDigits[c >> 4], kDigits[c & 15]};
    }
  }
  return out;
}

std::string TrimSlashes(std::string text) {
  while (text.starts_with('/')) text.erase(0, 1);
  while (text.ends_with('/')) text.pop_back();
  return text;
}

// ---- overrides ------------------------------------------------------------------------------------------------------

// Go's regular expressions are RE2's, which lacks only the shorter way to name a group: (?<name>...).
std::string WithLongNames(const std::string& expression) {
  std::string longer;
  bool in_class = false;
  for (size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    longer += c;
    if (c == '\\' && i + 1 < expression.size()) {
      longer += expression[++i];
    } else if (c == '[') {
      in_class = true;
    } else if (c == ']') {
      in_class = false;
    } else if (c == '(' && !in_class && expression.compare(i + 1, 2, "?<") == 0) {
      longer += "?P<";
      i += 2;
    }
  }
  return longer;
}

// The URL that one override makes of `url`, if it applies.
Result<std::optional<std::string>> ApplyOverride(const std::string& expression, const std::string& target,
                                                 const std::string& url) {
  const RE2 pattern(WithLongNames(expression), RE2::Quiet);
  if (!pattern.ok()) {
    return Status(Code::kInvalidArgument, "PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: '" + expression +
                                              "' is not a regular expression: " + pattern.error());
  }
  const int groups = pattern.NumberOfCapturingGroups() + 1;
  std::vector<re2::StringPiece> match(groups);
  if (!pattern.Match(url, 0, url.size(), RE2::UNANCHORED, match.data(), groups)) return std::optional<std::string>();
  std::string result = target;
  for (int i = 0; i < groups; ++i) result = Replaced(result, "$" + std::to_string(i), match[i].as_string());
  for (const auto& [i, name] : pattern.CapturingGroupNames()) {
    result = Replaced(result, "${" + name + "}", match[i].as_string());
  }
  return std::optional(result);
}

Result<std::optional<std::string>> Override(const std::string& overrides, const std::string& url) {
  for (size_t begin = 0; begin < overrides.size();) {
    const size_t end = std::min(overrides.find(',', begin), overrides.size());
    const std::string pair = overrides.substr(begin, end - begin);
    begin = end + 1;
    const size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == pair.size() ||
        pair.find('=', equals + 1) != std::string::npos) {
      return Status(
          Code::kInvalidArgument,
          "PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: expected format to be \"regexp1=URL1,regexp2=URL2\"; got \"" +
              overrides + "\"");
    }
    auto applied = ApplyOverride(pair.substr(0, equals), pair.substr(equals + 1), url);
    if (!applied.ok() || applied->has_value()) return applied;
  }
  return std::optional<std::string>();
}

// ---- sources --------------------------------------------------------------------------------------------------------

struct Source {
  enum class Kind { kGithub, kGitlab, kHttp } kind = Kind::kHttp;
  std::string host;
  std::string owner, repository;  // of GitHub; the project of GitLab is the repository
  std::string url;                // as given

  bool is_official() const { return kind == Kind::kGithub && host == kGithubHost && owner == kOwner; }
};

std::string RepositoryOf(const PluginSpec& spec) {
  const std::string usual = "pulumi-" + spec.name;
  if (spec.kind == "converter" && spec.name != "yaml" && spec.name != "hcl") return "pulumi-converter-" + spec.name;
  if (spec.kind == "tool" && !spec.name.starts_with("pulumi-tool-")) return "pulumi-tool-" + spec.name;
  return usual;
}

Result<Source> ParseSource(const PluginSpec& spec, const std::string& url) {
  const size_t scheme_end = url.find("://");
  const std::string scheme = url.substr(0, std::min(scheme_end, url.size()));
  Source source;
  source.url = url;
  if (scheme == "http" || scheme == "https") return source;
  if (scheme != "github" && scheme != "gitlab") {
    return Status(Code::kInvalidArgument, "unknown plugin source scheme: \"" +
                                              (scheme_end == std::string::npos ? "" : scheme) + "\" in '" +
                                              MaskUrls(url) + "': expected github, gitlab, http or https");
  }
  const std::string rest = url.substr(scheme_end + 3);
  const size_t slash = std::min(rest.find('/'), rest.size());
  source.host = rest.substr(0, slash);
  const std::string path = TrimSlashes(rest.substr(slash));
  const size_t split = std::min(path.find('/'), path.size());
  source.owner = path.substr(0, split);
  source.repository = TrimSlashes(path.substr(split));
  const bool deeper = source.repository.find('/') != std::string::npos;
  if (scheme == "gitlab") {
    source.kind = Source::Kind::kGitlab;
    if (source.host.empty() || path.empty() || split != path.size()) {
      return Status(Code::kInvalidArgument,
                    "gitlab:// url must have the format <host>/<project>, was: " + MaskUrls(url));
    }
    source.repository = path;
    return source;
  }
  source.kind = Source::Kind::kGithub;
  if (source.host.empty() || source.owner.empty() || deeper) {
    return Status(Code::kInvalidArgument,
                  "github:// url must have the format <host>/<organization>[/<repository>], was: " + MaskUrls(url));
  }
  if (source.repository.empty()) source.repository = RepositoryOf(spec);
  return source;
}

struct Chosen {
  Source source;
  bool falls_back = false;  // to get.pulumi.com
};

Result<Chosen> ChooseSource(const PluginSpec& spec, const SourceSettings& settings) {
  Chosen chosen;
  chosen.falls_back = spec.download_url.empty();
  const std::string usual = std::string("github://") + kGithubHost + "/" + kOwner;
  auto source = ParseSource(spec, chosen.falls_back ? usual : spec.download_url);
  if (!source.ok()) return source.status();
  // A source of GitHub is known by its repository, also if that was not given.
  const std::string full = source->kind == Source::Kind::kGithub
                               ? "github://" + source->host + "/" + source->owner + "/" + source->repository
                               : source->url;
  auto replaced = Override(settings.overrides, full);
  if (!replaced.ok()) return replaced.status();
  if (replaced->has_value()) {
    source = ParseSource(spec, **replaced);
    if (!source.ok()) return source.status();
    chosen.falls_back = false;
  }
  chosen.source = std::move(*source);
  return chosen;
}

// "api.acme.com" belongs to acme.com.
bool BelongsTo(const std::string& host, const std::string& domain) { return host == domain || host == "api." + domain; }

// Whether a URL in the overrides has the host.
bool IsNamedBy(const std::string& overrides, const std::string& host) {
  const std::string named = "://" + host;
  for (size_t at = overrides.find(named); at != std::string::npos; at = overrides.find(named, at + 1)) {
    const size_t end = at + named.size();
    if (end == overrides.size() || std::string_view("/,:").find(overrides[end]) != std::string_view::npos) return true;
  }
  return false;
}

bool IsTrusted(const Source& source, const SourceSettings& settings) {
  const bool github = source.kind == Source::Kind::kGithub;
  if (BelongsTo(source.host, github ? "github.com" : "gitlab.com")) return true;
  if (IsNamedBy(settings.overrides, source.host)) return true;
  const auto& hosts = github ? settings.github_hosts : settings.gitlab_hosts;
  return std::any_of(hosts.begin(), hosts.end(),
                     [&](const std::string& host) { return BelongsTo(HostOfUrl(source.host), host); });
}

// An endpoint of the source's service.
PluginEndpoint EndpointOf(const Source& source, const SourceSettings& settings, std::string url,
                          const std::string& accept, std::string asset) {
  PluginEndpoint endpoint{std::move(url), {{"Accept", accept}}, std::move(asset)};
  const bool github = source.kind == Source::Kind::kGithub;
  const std::string& token = github ? settings.github_token : settings.gitlab_token;
  if (token.empty() || source.kind == Source::Kind::kHttp) return endpoint;
  if (IsTrusted(source, settings)) {
    endpoint.headers.push_back({"Authorization", (github ? "token " : "Bearer ") + token});
  } else {
    endpoint.withheld_variable = github ? "GITHUB_TOKEN" : "GITLAB_TOKEN";
  }
  return endpoint;
}

constexpr char kBinary[] = "application/octet-stream";
constexpr char kJson[] = "application/json";

std::string AssetName(const PluginSpec& spec, const PluginPlatform& platform) {
  return spec.executable() + "-v" + spec.version + "-" + platform.os + "-" + platform.arch + ".tar.gz";
}

PluginEndpoint InFolder(std::string folder, const PluginSpec& spec, const PluginPlatform& platform) {
  const std::pair<const char*, std::string> values[] = {
      {"NAME", spec.name}, {"VERSION", spec.version}, {"OS", platform.os}, {"ARCH", platform.arch}};
  for (const auto& [name, value] : values) {
    folder = Replaced(folder, std::string("${") + name + "}", Escape(value));
    folder = Replaced(folder, std::string("$%7B") + name + "%7D", Escape(value));
  }
  if (folder.ends_with('/')) folder.pop_back();
  return {folder + "/" + Escape(AssetName(spec, platform)), {}, ""};
}

void AddEndpoints(const Source& source, const PluginSpec& spec, const PluginPlatform& platform,
                  const SourceSettings& settings, std::vector<PluginEndpoint>* out) {
  const std::string asset = AssetName(spec, platform);
  if (source.kind == Source::Kind::kHttp) {
    out->push_back(InFolder(source.url, spec, platform));
    return;
  }
  if (source.kind == Source::Kind::kGitlab) {
    out->push_back(EndpointOf(source, settings,
                              "https://" + source.host + "/api/v4/projects/" + source.repository + "/releases/v" +
                                  spec.version + "/downloads/" + asset,
                              kBinary, ""));
    return;
  }
  // Where official releases lie is known, and asking there does not count against the limits of the API.
  if (source.is_official()) {
    out->push_back({"https://github.com/" + source.owner + "/" + source.repository + "/releases/download/v" +
                        spec.version + "/" + asset,
                    {{"Accept", kBinary}},
                    ""});
  }
  out->push_back(EndpointOf(
      source, settings,
      "https://" + source.host + "/repos/" + source.owner + "/" + source.repository + "/releases/tags/v" + spec.version,
      kJson, asset));
}

}  // namespace

PluginPlatform PluginPlatform::Here() {
#if defined(__aarch64__)
  return {"linux", "arm64"};
#else
  return {"linux", "amd64"};
#endif
}

SourceSettings SourceSettings::FromEnvironment() {
  const auto hosts = [](std::initializer_list<const char*> variables) {
    std::vector<std::string> named;
    for (const char* variable : variables) {
      const std::string host = HostOfUrl(GetEnvironment(variable));
      if (!host.empty()) named.push_back(host);
    }
    return named;
  };
  return {GetEnvironment("PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES"), GetEnvironment("GITHUB_TOKEN"),
          GetEnvironment("GITLAB_TOKEN"), hosts({"GH_HOST", "GITHUB_SERVER_URL", "GITHUB_API_URL"}),
          hosts({"GITLAB_HOST", "CI_SERVER_HOST"})};
}

Result<std::vector<PluginEndpoint>> ArchiveEndpoints(const PluginSpec& spec, const PluginPlatform& platform,
                                                     const SourceSettings& settings) {
  KP_ASSERT(!spec.version.empty(), "what is downloaded has a version");
  auto chosen = ChooseSource(spec, settings);
  if (!chosen.ok()) return chosen.status();
  std::vector<PluginEndpoint> endpoints;
  AddEndpoints(chosen->source, spec, platform, settings, &endpoints);
  if (!chosen->falls_back) return endpoints;
  auto replaced = Override(settings.overrides, kFallbackUrl);
  if (!replaced.ok()) return replaced.status();
  auto last = ParseSource(spec, replaced->value_or(kFallbackUrl));
  if (!last.ok()) return last.status();
  AddEndpoints(*last, spec, platform, settings, &endpoints);
  return endpoints;
}

Result<PluginEndpoint> LatestVersionEndpoint(const PluginSpec& spec, const SourceSettings& settings) {
  auto chosen = ChooseSource(spec, settings);
  if (!chosen.ok()) return chosen.status();
  const Source& source = chosen->source;
  switch (source.kind) {
    case Source::Kind::kHttp:
      return Status(Code::kUnimplemented,
                    "GetLatestVersion is not supported for plugins from http sources: name the version to install");
    case Source::Kind::kGitlab:
      return EndpointOf(
          source, settings,
          "https://" + source.host + "/api/v4/projects/" + source.repository + "/releases/permalink/latest", kJson, "");
    case Source::Kind::kGithub:
      return EndpointOf(
          source, settings,
          "https://" + source.host + "/repos/" + source.owner + "/" + source.repository + "/releases/latest", kJson,
          "");
  }
  KP_ASSERT(false, "every kind of source is listed above");
}

Result<std::string> VersionOfRelease(const std::string& json) {
  const auto release = ParseJson(json);
  const auto tag = release.is_object() ? release.find("tag_name") : release.end();
  if (!release.is_object() || tag == release.end() || !tag->is_string()) {
    return Status(Code::kDataLoss, "the description of the latest release has no tag_name");
  }
  const std::string version = TolerantSemver(TextIn(*tag));
  if (version.empty()) return Status(Code::kDataLoss, "invalid plugin version " + TextIn(*tag));
  return version;
}

Result<std::string> UrlOfAsset(const std::string& json, const std::string& asset) {
  const auto release = ParseJson(json);
  const auto assets = release.is_object() ? release.find("assets") : release.end();
  if (release.is_object() && assets != release.end() && assets->is_array()) {
    for (const auto& file : *assets) {
      if (file.is_object() && TextOf(file, "name") == asset && file.contains("url") && file["url"].is_string()) {
        return TextIn(file["url"]);
      }
    }
  }
  return Status(Code::kNotFound, "plugin asset '" + asset + "' not found");
}

void CompletePluginSpec(PluginSpec* spec) {
  if (!spec->download_url.empty()) return;
  const auto& verse = kPulumiverse;
  if (spec->kind == "resource" && std::find(std::begin(verse), std::end(verse), spec->name) != std::end(verse)) {
    spec->download_url = kPulumiverseUrl;
  }
  if (spec->kind != "language") return;
  for (const PublishedLanguage& language : kLanguages) {
    if (language.name != spec->name) continue;
    spec->download_url = language.url;
    if (spec->version.empty()) spec->version = language.version;
  }
}

bool IsDownloadableLanguage(const std::string& name) {
  return std::any_of(std::begin(kLanguages), std::end(kLanguages),
                     [&name](const auto& language) { return language.name == name; });
}

}  // namespace kingpost
