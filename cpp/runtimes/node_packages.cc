// SPDX-License-Identifier: Apache-2.0
#include "runtimes/node_packages.h"

#include <glob.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "base/disk/durable_file.h"
#include "base/json_access.h"
#include "base/os.h"
#include "workspace/yaml_node.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// How a package describes itself; only pnpm reads the second.
constexpr std::array<const char*, 2> kDescriptions = {"package.json", "package.yaml"};

bool IsThere(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

fs::path DescriptionIn(const fs::path& folder) {
  for (const char* name : kDescriptions) {
    if (IsThere(folder / name)) return folder / name;
  }
  return {};
}

fs::path DescriptionAbove(const fs::path& folder) {
  for (fs::path at = folder;; at = at.parent_path()) {
    if (fs::path found = DescriptionIn(at); !found.empty()) return found;
    if (at == at.parent_path()) return {};
  }
}

bool IsAbove(const char* name, const fs::path& folder) {
  for (fs::path at = folder;; at = at.parent_path()) {
    if (IsThere(at / name)) return true;
    if (at == at.parent_path()) return false;
  }
}

// Null if it cannot be read: the manager says what is wrong with it.
nlohmann::json ReadDescription(const fs::path& file) {
  const Result<std::string> text = ReadWholeFile(file.string());
  if (!text.ok()) return {};
  if (file.extension() == ".json") {
    nlohmann::json json = ParseJson(*text);
    return json.is_discarded() ? nlohmann::json() : json;
  }
  const Result<YamlDocument> document = YamlDocument::Parse(file.string(), *text);
  return document.ok() ? document->json() : nlohmann::json();
}

// The patterns below `key`: a list, or, as yarn has it, {"packages": [...]}.
std::vector<std::string> PatternsIn(const nlohmann::json& description, const char* key) {
  std::vector<std::string> patterns;
  if (!description.is_object()) return patterns;
  const auto found = description.find(key);
  if (found == description.end()) return patterns;
  if (found->is_object()) return PatternsIn(*found, "packages");
  if (!found->is_array()) return patterns;
  for (const nlohmann::json& pattern : *found) patterns.push_back(TextIn(pattern));
  return patterns;
}

bool Matches(const fs::path& root, const std::string& pattern, const fs::path& description) {
  glob_t found{};
  const std::string whole = (root / pattern / description.filename()).lexically_normal().string();
  const bool any = ::glob(whole.c_str(), GLOB_NOSORT, nullptr, &found) == 0;
  bool matches = false;
  for (size_t i = 0; any && i < found.gl_pathc; ++i) matches = matches || fs::path(found.gl_pathv[i]) == description;
  ::globfree(&found);
  return matches;
}

// Whether the folder is the root of a workspace with that package.
bool IsRootFor(const fs::path& root, const fs::path& description) {
  std::vector<std::string> patterns = PatternsIn(ReadDescription(root / "pnpm-workspace.yaml"), "packages");
  for (std::string& pattern : PatternsIn(ReadDescription(DescriptionIn(root)), "workspaces")) {
    patterns.push_back(std::move(pattern));
  }
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return Matches(root, pattern, description); });
}

Status NotOnPath(const std::string& manager) {
  return Status(Code::kNotFound, "Could not find `" + manager + "` executable.\nInstall " + manager +
                                     " and make sure it is in your PATH.");
}

Result<std::string> Named(const std::string& manager, bool needs_pnpm) {
  if (manager != "npm" && manager != "yarn" && manager != "pnpm" && manager != "bun") {
    return Status(Code::kInvalidArgument,
                  "packagemanager option must be one of auto, npm, yarn, pnpm or bun, got \"" + manager + "\"");
  }
  if (needs_pnpm && manager != "pnpm") {
    return Status(Code::kInvalidArgument,
                  "the project's manifest is package.yaml, which is only supported by pnpm, but the runtime package "
                  "manager is set to \"" +
                      manager + "\". Use pnpm, or convert package.yaml to package.json");
  }
  if (FindOnPath(manager).empty()) return NotOnPath(manager);
  return manager;
}

// The files that choose a manager; the first match wins. One that is not on PATH is passed over.
std::string AskedFor(const fs::path& folder) {
  const std::pair<const char*, const char*> locks[] = {
      {"yarn.lock", "yarn"}, {"pnpm-lock.yaml", "pnpm"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}};
  if (IsTrueVariable("PULUMI_PREFER_YARN") && !FindOnPath("yarn").empty()) return "yarn";
  for (const auto& [lock, manager] : locks) {
    if (IsAbove(lock, folder) && !FindOnPath(manager).empty()) return manager;
  }
  return "npm";
}

}  // namespace

Result<std::string> ChooseNodePackageManager(const std::string& folder, const RuntimeOptions& options) {
  const fs::path start = fs::absolute(folder).lexically_normal();
  const bool needs_pnpm = DescriptionAbove(start).extension() == ".yaml";
  const std::string named = Option(options, "packagemanager");
  if (!named.empty() && named != "auto") return Named(named, needs_pnpm);
  const std::string manager = needs_pnpm ? "pnpm" : AskedFor(start);
  if (!FindOnPath(manager).empty()) return manager;
  const char* why = "could not find npm on the $PATH; npm is installed with Node.js available at https://nodejs.org/";
  if (needs_pnpm) {
    why = "the project's manifest is package.yaml, which requires pnpm, but pnpm could not be found on the $PATH";
  }
  return NotOnPath(manager).Wrap(why);
}

std::string NodeWorkspaceRoot(const std::string& folder) {
  const fs::path description = DescriptionAbove(fs::absolute(folder).lexically_normal());
  if (description.empty()) return "";
  for (fs::path at = description.parent_path(); at != at.parent_path(); at = at.parent_path()) {
    if (!DescriptionIn(at).empty() && IsRootFor(at, description)) return at.string();
  }
  return "";
}

Result<NodeInstallation> InstallationOfNodePackages(const std::string& folder, const RuntimeOptions& options) {
  const fs::path start = fs::absolute(folder).lexically_normal();
  if (DescriptionAbove(start).empty()) return NodeInstallation();
  const std::string root = NodeWorkspaceRoot(folder);
  NodeInstallation installation{root.empty() ? folder : root, {}};
  const Result<std::string> manager = ChooseNodePackageManager(installation.folder, options);
  if (!manager.ok()) return manager.status();
  installation.argv = {*manager, "install"};
  const std::map<std::string, std::vector<std::string>> quietly = {
      {"npm", {"--no-audit", "--no-fund", "--loglevel=error"}}, {"pnpm", {"--use-stderr"}}, {"yarn", {}}, {"bun", {}}};
  for (const std::string& flag : quietly.at(*manager)) installation.argv.push_back(flag);
  // bun takes --production as an order not to touch its lock file.
  if (Option(options, "production") == "true" && *manager != "bun") installation.argv.push_back("--production");
  return installation;
}

}  // namespace kingpost
