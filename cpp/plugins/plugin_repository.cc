// SPDX-License-Identifier: Apache-2.0
#include "plugins/plugin_repository.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "base/text.h"
#include "base/url_masking.h"
#include "model/semver.h"
#include "remote/http/http_client.h"

namespace kingpost {

namespace {

constexpr std::string_view kRepositoryScheme = "git://";
constexpr char kGitSuffix[] = ".git";
constexpr char kOfCommits[] = "0.0.0-x";

struct Scheme {
  std::string_view given, clone, kept;
};
constexpr Scheme kFileScheme = {"file://", "file://", kRepositoryScheme};
constexpr Scheme kSchemes[] = {
    {"https://", "https://", kRepositoryScheme},
    {kRepositoryScheme, "https://", kRepositoryScheme},
    kFileScheme,
    {"http://", "http://", "git+http://"},
    {"git+http://", "http://", "git+http://"},
    {"ssh://", "ssh://", "git+ssh://"},
    {"git+ssh://", "ssh://", "git+ssh://"},
};

bool HasPrerelease(const std::string& version) {
  return version.substr(0, version.find('+')).find('-') != std::string::npos;
}

// Releases before what comes before them, then the higher one.
bool IsLater(const std::string& a, const std::string& b) {
  if (HasPrerelease(a) != HasPrerelease(b)) return HasPrerelease(b);
  return CompareSemver(a, b) > 0;
}

// Finds in the lines "COMMIT\tREF" the tag of the version, or of the latest one if none is named.
std::optional<RepositoryVersion> ChooseTag(const std::string& listing, const std::string& wanted) {
  std::optional<RepositoryVersion> best;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find("refs/tags/");
    if (at == std::string::npos || line.ends_with("^{}")) continue;
    const std::string tag = line.substr(at + 10), version = TolerantSemver(tag);
    if (version.empty() || (!wanted.empty() && CompareSemver(version, wanted) != 0)) continue;
    if (!best || IsLater(version, best->version)) best = RepositoryVersion{version, tag};
  }
  return best;
}

bool IsCommit(const std::string& text) {
  return text.size() >= 4 && text.size() <= 64 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

size_t FindOrEnd(const std::string& text, char wanted, size_t from) {
  return std::min(text.find(wanted, from), text.size());
}

// Splits "HOST/OWNER/REPOSITORY[/FOLDER]": where ".git/" says so, or else after the third part.
void SplitFolder(bool is_file, std::string* text, std::string* inside) {
  if (const size_t git = text->rfind(".git/"); git != std::string::npos) {
    *inside = text->substr(git + 5);
    text->erase(git + 4);
  } else if (!is_file && !text->ends_with(kGitSuffix)) {
    const size_t end = FindOrEnd(*text, '/', FindOrEnd(*text, '/', text->find('/') + 1) + 1);
    *inside = end < text->size() ? text->substr(end + 1) : "";
    text->erase(end);
  }
  while (inside->ends_with("/")) inside->pop_back();
}

}  // namespace

// HOST/OWNER/REPOSITORY, with or without a scheme before it; a path is a repository on this machine if it has one.
std::optional<PluginRepository> ParseRepository(const std::string& source) {
  std::string text = source;
  const Scheme* scheme = &kSchemes[0];
  bool is_address = false;
  for (const Scheme& known : kSchemes) {
    if (!text.starts_with(known.given)) continue;
    scheme = &known;
    is_address = true;
    text.erase(0, known.given.size());
    if (known.given == kRepositoryScheme && text.starts_with('/')) scheme = &kFileScheme;
    break;
  }
  const bool is_file = scheme->clone == kFileScheme.clone;
  const size_t host_end = text.find('/');
  if (host_end == std::string::npos) return {};
  // Without a scheme only a dot tells a host from a folder; with one, the host may be any, and have a port.
  if (!is_address && text.substr(0, host_end).find('.') == std::string::npos) return {};
  PluginRepository repository;
  // The user's name belongs neither into names of folders nor into the cache.
  const size_t host = text.substr(0, host_end).rfind('@') + 1;
  repository.download_url = std::string(scheme->kept) + text.substr(host);
  SplitFolder(is_file, &text, &repository.inside);
  if (repository.inside.find("..") != std::string::npos) return {};
  const size_t owner_end = text.find('/', host_end + 1);
  if (owner_end == std::string::npos || owner_end + 1 == text.size()) return {};
  const std::string path = text.substr(host_end + 1);
  const size_t last = path.rfind('/'), before = is_file && last > 0 ? path.rfind('/', last - 1) : std::string::npos;
  repository.owner = Lowered(before == std::string::npos ? path.substr(0, owner_end - host_end - 1)
                                                         : path.substr(before + 1, last - before - 1));
  if (!text.ends_with(kGitSuffix) && !is_file) text += kGitSuffix;
  repository.url = std::string(scheme->clone) + text;
  repository.name = text.substr(host) + (repository.inside.empty() ? "" : "_" + repository.inside);
  std::replace(repository.name.begin(), repository.name.end(), '/', '_');
  return repository;
}

bool IsRepositoryUrl(const std::string& download_url) {
  return download_url.starts_with(kRepositoryScheme) || download_url.starts_with("git+");
}

std::pair<std::string, std::string> SplitVersion(const std::string& text) {
  const size_t at = text.rfind('@'), slash = text.rfind('/');
  if (at == std::string::npos || (slash != std::string::npos && at < slash)) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::optional<RepositoryVersion> CommitVersion(const std::string& text) {
  const std::string commit = text.starts_with(kOfCommits) ? text.substr(sizeof(kOfCommits) - 1) : text;
  const bool is_version = commit == text && !TolerantSemver(text).empty();
  if (is_version || !IsCommit(commit)) return {};
  return RepositoryVersion{kOfCommits + commit, commit, true};
}

Result<RepositoryVersion> ChooseVersion(const PluginRepository& repository, const std::string& listing,
                                        const std::string& wanted) {
  const std::string version = wanted == "0.0.0" ? "" : wanted;
  if (auto tag = ChooseTag(listing, version)) {
    if (wanted.empty() || !version.empty()) return *tag;
  }
  if (!version.empty()) {
    return Status(Code::kNotFound, MaskUrls(repository.url) + " has no tag for the version " + version +
                                       ": name a tag that is a semantic version, or a commit");
  }
  const std::string newest = listing.substr(0, FindOrEnd(listing, '\t', 0));
  if (IsCommit(newest)) return RepositoryVersion{kOfCommits + newest, newest, true};
  return Status(Code::kNotFound, MaskUrls(repository.url) + " is empty: could not determine version in repo");
}

Result<PluginSpec> PluginIn(const PluginRepository& repository, const std::string& version) {
  PluginSpec spec{"resource", repository.name, "", repository.download_url, {}};
  if (version.empty()) return spec;
  const auto commit = CommitVersion(version);
  spec.version = commit ? commit->version : TolerantSemver(version);
  if (!spec.version.empty()) return spec;
  return Status(Code::kInvalidArgument, "VERSION must be valid semver or git commit hash: " + version);
}

std::string CacheNameOf(const std::string& name, const std::string& download_url) {
  const auto repository = IsRepositoryUrl(download_url) ? ParseRepository(download_url) : std::nullopt;
  if (repository) return repository->name;
  std::string local = name;
  std::replace(local.begin(), local.end(), '/', '_');
  return local;
}

}  // namespace kingpost
