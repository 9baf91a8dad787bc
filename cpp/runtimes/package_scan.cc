// SPDX-License-Identifier: Apache-2.0
#include "runtimes/package_scan.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/encoding.h"
#include "base/json_access.h"
#include "base/os.h"
#include "base/pattern.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kNodeModulesDepthMax = 8;

std::string FileText(const fs::path& path) {
  Result<std::string> text = ReadWholeFile(path.string());
  return text.ok() ? std::move(*text) : "";
}

std::vector<fs::path> Folders(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->is_directory(error)) folders.push_back(at->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string WithoutV(std::string version) {
  if (!version.empty() && version[0] == 'v') version.erase(0, 1);
  return version;
}

// A description of a plugin as both ecosystems write it: {resource, name, version, server, parameterization}.
// Nullopt if it is not about a resource plugin.
std::optional<RequiredPackage> ReadDescription(const Json& json, const std::string& default_name,
                                               const std::string& default_version) {
  if (!BoolOf(json, "resource")) {
    return std::nullopt;
  }
  RequiredPackage package;
  package.kind = "resource";
  package.name = TextOf(json, "name");
  if (package.name.empty()) package.name = default_name;
  package.version = WithoutV(TextOf(json, "version"));
  if (package.version.empty()) package.version = WithoutV(default_version);
  package.download_url = TextOf(json, "server");
  auto parameterization = json.find("parameterization");
  if (parameterization != json.end() && parameterization->is_object()) {
    package.parameterization.emplace();
    package.parameterization->name = TextOf(*parameterization, "name");
    package.parameterization->version = WithoutV(TextOf(*parameterization, "version"));
    package.parameterization->value = Base64Decode(TextOf(*parameterization, "value")).value_or("");
  }
  return package;
}

// The version in the name of NAME-VERSION.dist-info beside a package's folder.
std::string InstalledVersion(const fs::path& package) {
  const std::string prefix = package.filename().string() + "-";
  std::error_code error;
  for (fs::directory_iterator at(package.parent_path(), error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(prefix) && at->path().extension() == ".dist-info") {
      return at->path().stem().string().substr(prefix.size());
    }
  }
  return "";
}

// Where that Python keeps packages. Guessed from its place, because asking it costs as much as starting it.
std::vector<fs::path> SitePackages(const std::string& executable) {
  std::vector<fs::path> prefixes;
  std::error_code error;
  const fs::path prefix = fs::path(executable).parent_path().parent_path();
  prefixes.push_back(prefix);
  if (!fs::exists(prefix / "pyvenv.cfg", error)) {
    const fs::path real = fs::canonical(executable, error);
    if (!error) prefixes.push_back(real.parent_path().parent_path());
    prefixes.push_back("/usr/local");
    const std::string home = GetEnvironment("HOME");
    if (!home.empty()) prefixes.push_back(fs::path(home) / ".local");
  }
  std::set<fs::path> found;
  for (const fs::path& each : prefixes) {
    for (const fs::path& python : Folders(each / "lib")) {
      if (!python.filename().string().starts_with("python3")) continue;
      for (const char* name : {"site-packages", "dist-packages"}) {
        const fs::path folder = fs::weakly_canonical(python / name, error);
        if (fs::is_directory(folder, error)) found.insert(folder);
      }
    }
  }
  return {found.begin(), found.end()};
}

// In a workspace the packages are links to each other, so that each is found along very many paths.
struct NodeScan {
  std::vector<RequiredPackage> packages;
  std::set<fs::path> visited;  // folders of packages, without links
};

void ScanNodeModules(const fs::path& modules, int depth, NodeScan* scan);

void ScanNodePackage(const fs::path& folder, int depth, NodeScan* scan) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (error || !scan->visited.insert(real).second) return;
  const std::string text = FileText(folder / "package.json");
  if (text.find("\"pulumi\"") != std::string::npos) {
    const Json json = ParseJson(text);
    auto description = json.is_object() ? json.find("pulumi") : json.end();
    if (json.is_object() && description != json.end()) {
      std::string name = TextOf(json, "name");
      if (name.starts_with("@pulumi/")) name.erase(0, 8);
      if (auto package = ReadDescription(*description, name, TextOf(json, "version"))) {
        scan->packages.push_back(*package);
      }
    }
  }
  ScanNodeModules(folder / "node_modules", depth + 1, scan);
}

void ScanNodeModules(const fs::path& modules, int depth, NodeScan* scan) {
  if (depth > kNodeModulesDepthMax) return;
  for (const fs::path& folder : Folders(modules)) {
    const std::string name = folder.filename().string();
    if (name[0] == '@') {
      for (const fs::path& scoped : Folders(folder)) ScanNodePackage(scoped, depth, scan);
    } else if (name[0] != '.') {
      ScanNodePackage(folder, depth, scan);
    }
  }
}

// The folders of a module where its pulumi-plugin.json may be, in the order in which they are looked at.
std::vector<fs::path> DescriptionFolders(const fs::path& module) {
  std::vector<fs::path> folders = {module, module / "go"};
  for (const fs::path& parent : {module / "go", module}) {
    const auto inner = Folders(parent);
    folders.insert(folders.end(), inner.begin(), inner.end());
  }
  return folders;
}

// The release behind a version of Go: of a commit between two releases, the one before it. "" if there is none.
std::string GoRelease(const std::string& version) {
  static const Pattern* const kVersion = new Pattern("v?([0-9]+)\\.([0-9]+)\\.([0-9]+)([-+].*)?");
  static const Pattern* const kPseudo =
      new Pattern("v[0-9]+\\.(0\\.0-|[0-9]+\\.[0-9]+-([^+]*\\.)?0\\.)[0-9]{14}-[A-Za-z0-9]+(\\+[0-9A-Za-z.-]+)?");
  const auto parts = kVersion->FindWhole(version);
  if (!parts) return "";
  if (!kPseudo->MatchesWhole(version)) return WithoutV(version);
  const std::string &major = parts->at(1), &minor = parts->at(2), &patch = parts->at(3);
  if (major == "0" && minor == "0" && patch == "0") return "";
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(patch.data(), patch.data() + patch.size(), number);
  if (error != std::errc() || number == 0) return major + "." + minor + "." + patch;
  return major + "." + minor + "." + std::to_string(number - 1);
}

// github.com/pulumi/pulumi-aws/sdk/v6: aws.
std::string GoPackageName(const std::string& module) {
  const size_t host = module.find('/'), owner = module.find('/', host + 1);
  if (host == std::string::npos || owner == std::string::npos) return "";
  const std::string repository = module.substr(owner + 1, module.find('/', owner + 1) - owner - 1);
  const size_t dash = repository.find('-');
  return dash == std::string::npos ? "" : repository.substr(dash + 1);
}

std::optional<RequiredPackage> ReadGoPackage(const GoModule& module) {
  for (const fs::path& folder : DescriptionFolders(module.folder)) {
    const std::string text = FileText(folder / "pulumi-plugin.json");
    if (text.empty()) continue;
    auto package = ReadDescription(ParseJson(text), GoPackageName(module.path), module.version);
    if (!package || package->name.empty()) return std::nullopt;
    if (package->version == WithoutV(module.version)) package->version = GoRelease(module.version);
    if (package->version.empty()) return std::nullopt;
    return package;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<RequiredPackage>> ScanPythonPackages(const RuntimeOptions& options, const std::string& folder) {
  auto python = FindPython(options, folder, false);
  if (!python.ok()) return python.status();
  std::vector<RequiredPackage> packages;
  for (const fs::path& site : SitePackages(python->executable)) {
    for (const fs::path& package : Folders(site)) {
      const std::string text = FileText(package / "pulumi-plugin.json");
      if (text.empty()) continue;
      const Json json = ParseJson(text);
      if (json.is_discarded()) {
        return Status(Code::kInvalidArgument, (package / "pulumi-plugin.json").string() +
                                                  " is not valid JSON: install the package " +
                                                  package.filename().string() + " again");
      }
      std::string name = package.filename().string();
      if (name.starts_with("pulumi_")) name.erase(0, 7);
      std::replace(name.begin(), name.end(), '_', '-');
      auto description = ReadDescription(json, name, "");
      if (!description) continue;
      if (description->version.empty()) description->version = InstalledVersion(package);
      packages.push_back(std::move(*description));
    }
  }
  return packages;
}

Result<std::vector<RequiredPackage>> ScanNodePackages(const std::string& folder) {
  NodeScan scan;
  for (fs::path at = fs::absolute(folder).lexically_normal();; at = at.parent_path()) {
    ScanNodeModules(at / "node_modules", 0, &scan);
    if (at == at.root_path()) return scan.packages;
  }
}

std::vector<RequiredPackage> ScanGoPackages(const std::vector<GoModule>& modules) {
  std::vector<RequiredPackage> packages;
  for (const GoModule& module : modules) {
    if (module.folder.empty()) continue;
    if (auto package = ReadGoPackage(module)) packages.push_back(std::move(*package));
  }
  return packages;
}

}  // namespace kingpost
