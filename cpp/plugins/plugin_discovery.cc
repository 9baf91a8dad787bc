// SPDX-License-Identifier: Apache-2.0
#include "plugins/plugin_discovery.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/encoding.h"
#include "base/engine_log.h"
#include "base/os.h"
#include "model/dynamic_provider.h"
#include "model/semver.h"
#include "plugins/plugin_repository.h"
#include "processes/guarded_port.h"
#include "runtimes/script_runtimes.h"
#include "workspace/local_packages.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

std::string FileName(const PluginQuery& query) { return "pulumi-" + query.kind + "-" + query.name; }

// A plugin's folder holds its executable, or the description of one that a language runtime runs.
FoundPlugin InFolder(const PluginQuery& query, const fs::path& folder, const std::string& version) {
  const fs::path executable = folder / FileName(query);
  if (IsExecutableFile(executable.string())) return {query.name, executable.string(), false, version};
  return {query.name, folder.string(), true, version, "", FileName(query)};
}

const std::vector<PluginOption>& ProjectPlugins(const PluginQuery& query, const DiscoveryOptions& options) {
  if (query.kind == "analyzer") return options.analyzer_plugins;
  if (query.kind == "language") return options.language_plugins;
  return options.provider_plugins;
}

std::optional<FoundPlugin> InProject(const PluginQuery& query, const DiscoveryOptions& options) {
  for (const PluginOption& plugin : ProjectPlugins(query, options)) {
    if (plugin.name != query.name) continue;
    if (!plugin.version.empty() && !query.version.empty() && CompareSemver(plugin.version, query.version) != 0) {
      continue;
    }
    const fs::path path = fs::absolute(fs::path(options.project_folder) / plugin.path).lexically_normal();
    std::error_code error;
    if (fs::is_regular_file(path, error)) return FoundPlugin{query.name, path.string(), false, plugin.version};
    return InFolder(query, path, plugin.version);
  }
  return std::nullopt;
}

struct CacheEntry {
  fs::path folder;
  std::string version;
};

bool IsPrerelease(const std::string& version) {
  return version.substr(0, version.find('+')).find('-') != std::string::npos;
}

// Prefers one of two entries when any version will do: a stable one, then the higher.
bool Better(const CacheEntry& a, const CacheEntry& b) {
  if (IsPrerelease(a.version) != IsPrerelease(b.version)) return !IsPrerelease(a.version);
  return CompareSemver(a.version, b.version) > 0;
}

// "resource-aws-v6.1.0": finished installations of the plugin, in any order.
std::vector<CacheEntry> CacheEntries(const PluginQuery& query, const std::string& cache_folder) {
  const std::string prefix = query.kind + "-" + CacheNameOf(query.name, query.download_url) + "-v";
  std::vector<CacheEntry> entries;
  std::error_code error;
  for (fs::directory_iterator it(cache_folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(prefix) || !it->is_directory(error)) continue;
    const std::string version = name.substr(prefix.size());
    if (!IsSemver(version) || fs::exists(it->path().string() + ".partial", error)) continue;
    entries.push_back({it->path(), version});
  }
  return entries;
}

std::optional<FoundPlugin> InCache(const PluginQuery& query, const DiscoveryOptions& options) {
  const CacheEntry* best = nullptr;
  const std::vector<CacheEntry> entries = CacheEntries(query, options.cache_folder);
  for (const CacheEntry& entry : entries) {
    if (!query.version.empty() && CompareSemver(entry.version, query.version) != 0) continue;
    if (!best || Better(entry, *best)) best = &entry;
  }
  if (!best) return std::nullopt;
  fs::path folder = best->folder;
  const auto repository = IsRepositoryUrl(query.download_url) ? ParseRepository(query.download_url) : std::nullopt;
  if (repository && !repository->inside.empty()) folder /= repository->inside;
  FoundPlugin found = InFolder(query, folder, best->version);
  found.cache_entry = best->folder.string();
  return found;
}

// Only what the peer ships beside its own program.
bool IsBundled(const PluginQuery& query) {
  static const std::vector<std::string> kLanguages = {"nodejs", "bun", "go", "python", "dotnet", "yaml", "java", "pcl"};
  if (query.kind == "language") return std::find(kLanguages.begin(), kLanguages.end(), query.name) != kLanguages.end();
  return query.kind == "resource" && IsDynamicProvider(query.name);
}

Status Missing(const PluginQuery& query, const DiscoveryOptions& options) {
  const std::string version = query.version.empty() ? "" : " at version v" + query.version;
  const std::string place = options.cache_folder + "/" + query.kind + "-" + query.name + "-v" +
                            (query.version.empty() ? "VERSION" : query.version) + "/" + FileName(query);
  Status missing(Code::kNotFound, "no " + query.kind + " plugin '" + FileName(query) + "' found in the workspace" +
                                      version + (options.search_path ? " or on your $PATH" : "") + ": put it at " +
                                      place + ", or name its folder under `plugins` in Pulumi.yaml");
  return missing.With(MissingPlugin());
}

}  // namespace

DiscoveryOptions DiscoveryOptions::FromEnvironment(const Project& project) {
  DiscoveryOptions options;
  options.project_folder = project.file.empty() ? fs::current_path().string() : project.folder();
  options.provider_plugins = project.provider_plugins;
  for (const auto& [name, package] : project.packages) {
    if (IsLocalSource(package.source)) options.provider_plugins.push_back({name, "", package.source});
  }
  // Behind the project's own: a component registers what the packages of its plugin provide.
  for (const LocalPackage& package : FindLocalPackages(project).packages) {
    options.provider_plugins.push_back({package.name, "", package.path});
  }
  options.analyzer_plugins = project.analyzer_plugins;
  options.language_plugins = project.language_plugins;
  std::string home = GetEnvironment("PULUMI_HOME");
  if (home.empty()) home = GetEnvironment("HOME") + "/.pulumi";
  options.cache_folder = home + "/plugins";
  options.search_path = !IsTruthy(GetEnvironment("PULUMI_IGNORE_AMBIENT_PLUGINS"));
  options.program_folder = fs::path(OwnExecutable()).parent_path().string();
  return options;
}

namespace {

// A user who may put a file into a folder of PATH chooses the code that runs here, with all our secrets.
Status CheckOwner(const std::string& executable) {
  struct stat file, folder;
  const bool seen =
      stat(executable.c_str(), &file) == 0 && stat(fs::path(executable).parent_path().c_str(), &folder) == 0;
  const bool theirs = seen && file.st_uid != geteuid() && file.st_uid != 0;
  if (!theirs || (folder.st_mode & S_IWOTH) == 0 || TrustsLocalUsers()) return Status::Ok();
  return Status(Code::kPermissionDenied,
                "the plugin " + executable + " is not run: user " + std::to_string(file.st_uid) +
                    " has put it into a folder of your $PATH that every user of this machine can write to. Take the "
                    "folder off $PATH, or set KINGPOST_TRUST_LOCAL_USERS=true if you trust them all");
}

// A dynamic provider of a Pulumi installation: it came along with `pulumi`, and nobody chose it. Ours does the same,
// and starts sooner.
bool IsPartOfPulumi(const PluginQuery& query, const std::string& path) {
  if (query.kind != "resource" || !IsBundled(query)) return false;
  std::error_code error;
  const fs::path resolved = fs::canonical(path, error);
  const auto beside = [](const fs::path& file) { return IsExecutableFile((file.parent_path() / "pulumi").string()); };
  return beside(path) || (!error && beside(resolved));
}

Result<FoundPlugin> Look(const PluginQuery& query, const DiscoveryOptions& options) {
  if (auto found = InProject(query, options)) return *found;
  if (options.search_path) {
    const std::string path = FindOnPath(FileName(query));
    if (!path.empty() && !IsPartOfPulumi(query, path)) {
      if (Status refused = CheckOwner(path); !refused.ok()) return refused;
      FoundPlugin found{query.name, path, false, ""};
      found.is_on_path = true;
      return found;
    }
  }
  if (IsBundled(query) && !options.program_folder.empty()) {
    const std::string path = options.program_folder + "/" + FileName(query);
    if (IsExecutableFile(path)) return FoundPlugin{query.name, path, false, ""};
  }
  if (auto found = InCache(query, options)) return *found;
  return Missing(query, options);
}

}  // namespace

Result<FoundPlugin> FindPlugin(const PluginQuery& query, const DiscoveryOptions& options) {
  Result<FoundPlugin> found = Look(query, options);
  if (IsLogEnabled(3)) {
    WriteLog(3, query.kind + " plugin " + query.name + (query.version.empty() ? "" : " v" + query.version) +
                    (found.ok() ? " is at " + found->path : ": " + found.status().message()));
  }
  return found;
}

bool IsOtherVersionInstalledSince(const PluginQuery& query, const DiscoveryOptions& options, int64_t since) {
  if (query.version.empty()) return false;
  const std::vector<CacheEntry> entries = CacheEntries(query, options.cache_folder);
  return std::any_of(entries.begin(), entries.end(), [&](const CacheEntry& entry) {
    struct stat folder;
    return CompareSemver(entry.version, query.version) != 0 && stat(entry.folder.c_str(), &folder) == 0 &&
           folder.st_mtime > since;
  });
}

void MarkPluginUsed(const FoundPlugin& plugin) {
  if (plugin.cache_entry.empty()) return;
  const std::string path = plugin.cache_entry + ".lastused";
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return;  // a cache that cannot be written to serves as well
  futimens(fd, nullptr);
  close(fd);
}

Result<int> DebugProviderPort(const std::string& name) {
  const std::string list = GetEnvironment("PULUMI_DEBUG_PROVIDERS");
  for (size_t begin = 0; begin < list.size();) {
    size_t end = list.find(',', begin);
    if (end == std::string::npos) end = list.size();
    const std::string entry = list.substr(begin, end - begin);
    begin = end + 1;
    const size_t colon = entry.find(':');
    if (entry.substr(0, colon) != name) continue;
    const std::string text = colon == std::string::npos ? "" : entry.substr(colon + 1);
    int port = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || rest != text.data() + text.size() || port <= 0 || port > 65535) {
      return Status(Code::kInvalidArgument,
                    "Expected a numeric port, got " + Quote(text) + " for " + name + " in PULUMI_DEBUG_PROVIDERS");
    }
    return port;
  }
  return 0;
}

bool HasDebugPort(const std::string& name) {
  const Result<int> port = DebugProviderPort(name);
  return !port.ok() || *port != 0;
}

}  // namespace kingpost
