// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/json_access.h"
#include "base/pattern.h"
#include "base/trim.h"
#include "runtimes/package_description.h"
#include "runtimes/package_scan.h"
#include "runtimes/python_site_packages.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// A module that Python can import, where that is a folder.
struct ImportablePackage {
  std::string name;
  fs::path folder;
};

// Folders that the lines of a .pth file add to the places where Python looks.
std::vector<fs::path> FoldersInPathFile(const fs::path& file) {
  std::vector<fs::path> folders;
  std::istringstream lines(TextOfFile(file));
  for (std::string line; std::getline(lines, line);) {
    line = Trimmed(line);
    if (line.empty() || line[0] == '#' || line.starts_with("import ") || line.starts_with("import\t")) continue;
    folders.push_back((file.parent_path() / line).lexically_normal());
  }
  return folders;
}

// The packages that setuptools' finder of an editable installation knows: MAPPING = {'name': '/folder', ...}.
std::vector<ImportablePackage> PackagesInFinder(const fs::path& file) {
  static const Pattern* const kMapping = new Pattern("(?m)^MAPPING[^=\\n]*= *\\{([^}\\n]*)\\}");
  static const Pattern* const kEntry = new Pattern("'([A-Za-z0-9_]+)': '([^']+)',?(.*)");
  std::vector<ImportablePackage> packages;
  const auto mapping = kMapping->Find(TextOfFile(file));
  std::string rest = mapping ? mapping->at(1) : "";
  for (auto entry = kEntry->Find(rest); entry; entry = kEntry->Find(rest)) {
    packages.push_back({entry->at(1), entry->at(2)});
    rest = entry->at(3);
  }
  return packages;
}

// The packages that programs can import from a folder: those in it, and the targets of editable
// installations.
std::vector<ImportablePackage> ImportableFrom(const fs::path& site) {
  std::vector<ImportablePackage> packages;
  for (const fs::path& folder : FoldersIn(site)) packages.push_back({folder.filename().string(), folder});
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(site, error), end; !error && at != end; at.increment(error)) {
    files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    if (file.extension() == ".pth") {
      for (const fs::path& added : FoldersInPathFile(file)) {
        for (const fs::path& folder : FoldersIn(added)) packages.push_back({folder.filename().string(), folder});
      }
    } else if (name.starts_with("__editable__") && name.ends_with("_finder.py")) {
      for (ImportablePackage& package : PackagesInFinder(file)) packages.push_back(std::move(package));
    }
  }
  return packages;
}

// The version in the name of NAME-VERSION.dist-info in `site`.
std::string InstalledVersion(const fs::path& site, const std::string& name) {
  const std::string prefix = name + "-";
  for (const fs::path& folder : FoldersIn(site)) {
    if (folder.filename().string().starts_with(prefix) && folder.extension() == ".dist-info") {
      return folder.stem().string().substr(prefix.size());
    }
  }
  return "";
}

Result<std::optional<RequiredPackage>> Describe(const ImportablePackage& package, const std::string& text,
                                                const fs::path& site) {
  const nlohmann::json json = ParseJson(text);
  if (json.is_discarded()) {
    return Status(Code::kInvalidArgument, (package.folder / "pulumi-plugin.json").string() +
                                              " is not valid JSON: install the package " + package.name + " again");
  }
  std::string name = package.name;
  if (name.starts_with("pulumi_")) name.erase(0, 7);
  std::replace(name.begin(), name.end(), '_', '-');
  auto description = ReadPackageDescription(json, name, "");
  if (description && description->version.empty()) description->version = InstalledVersion(site, package.name);
  return description;
}

}  // namespace

Result<std::vector<RequiredPackage>> ScanPythonPackages(const RuntimeOptions& options, const std::string& folder) {
  auto python = FindPython(options, folder, false);
  if (!python.ok()) return python.status();
  std::vector<RequiredPackage> packages;
  std::set<std::string> seen;
  for (const fs::path& site : SitePackagesOf(python->executable, folder)) {
    for (const ImportablePackage& package : ImportableFrom(site)) {
      const std::string text = TextOfFile(package.folder / "pulumi-plugin.json");
      if (text.empty() || !seen.insert(package.name).second) continue;
      auto description = Describe(package, text, site);
      if (!description.ok()) return description.status();
      if (*description) packages.push_back(std::move(**description));
    }
  }
  return packages;
}

}  // namespace kingpost
