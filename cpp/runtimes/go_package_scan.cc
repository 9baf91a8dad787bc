// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "base/pattern.h"
#include "runtimes/package_description.h"
#include "runtimes/package_scan.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// The folders of a module where its pulumi-plugin.json may be, in the order in which they are looked at.
std::vector<fs::path> DescriptionFolders(const fs::path& module) {
  std::vector<fs::path> folders = {module, module / "go"};
  for (const fs::path& parent : {module / "go", module}) {
    const auto inner = FoldersIn(parent);
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
  if (!kPseudo->MatchesWhole(version)) return StripVersionPrefix(version);
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
    const std::string text = TextOfFile(folder / "pulumi-plugin.json");
    if (text.empty()) continue;
    auto package = ReadPackageDescription(ParseJson(text), GoPackageName(module.path), module.version);
    if (!package || package->name.empty()) return std::nullopt;
    if (package->version == StripVersionPrefix(module.version)) package->version = GoRelease(module.version);
    if (package->version.empty()) return std::nullopt;
    return package;
  }
  return std::nullopt;
}

}  // namespace

std::vector<RequiredPackage> ScanGoPackages(const std::vector<GoModule>& modules) {
  std::vector<RequiredPackage> packages;
  for (const GoModule& module : modules) {
    if (module.folder.empty()) continue;
    if (auto package = ReadGoPackage(module)) packages.push_back(std::move(*package));
  }
  return packages;
}

}  // namespace kingpost
