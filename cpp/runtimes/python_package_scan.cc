// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/json_access.h"
#include "base/os.h"
#include "base/pattern.h"
#include "base/trim.h"
#include "runtimes/package_description.h"
#include "runtimes/package_scan.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// A module that Python can import, where that is a folder.
struct ImportablePackage {
  std::string name;
  fs::path folder;
};

// "X.Y" of an executable that is called pythonX.Y once its links are followed; "" of others.
std::string VersionInName(const fs::path& executable) {
  static const Pattern* const kName = new Pattern("python([0-9]+\\.[0-9]+)");
  const auto parts = kName->FindWhole(executable.filename().string());
  return parts ? parts->at(1) : "";
}

// The version that pyenv chooses for programs in `folder`; "" if none is named.
std::string PyenvVersion(const fs::path& root, const fs::path& folder) {
  const std::string chosen = GetEnvironment("PYENV_VERSION");
  std::string text = chosen;
  for (fs::path at = folder; text.empty(); at = at.parent_path()) {
    text = TextOfFile(at / ".python-version");
    if (at == at.root_path()) break;
  }
  if (text.empty()) text = TextOfFile(root / "version");
  std::string first;
  std::istringstream(text) >> first;
  return first.find('/') == std::string::npos ? first : "";
}

// The Python behind a script of pyenv that stands for it.
fs::path WithoutShim(const fs::path& executable, const fs::path& folder) {
  if (executable.parent_path().filename() != "shims") return executable;
  const fs::path root = executable.parent_path().parent_path();
  const std::string version = PyenvVersion(root, folder);
  std::error_code error;
  if (version.empty() || version == "system") return executable;
  const fs::path python = root / "versions" / version / "bin" / "python3";
  return fs::exists(python, error) ? python : executable;
}

// The contents of a pyvenv.cfg, by its keys.
std::map<std::string, std::string> ReadSettings(const fs::path& file) {
  std::map<std::string, std::string> settings;
  std::istringstream lines(TextOfFile(file));
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (equals != std::string::npos) settings[Trimmed(line.substr(0, equals))] = Trimmed(line.substr(equals + 1));
  }
  return settings;
}

// Where that Python keeps packages. Guessed from its place, because asking it costs as much as starting it.
class SitePackages {
 public:
  // In the order in which Python looks through them.
  static std::vector<fs::path> Of(const fs::path& executable) {
    SitePackages found;
    found.AddInterpreter(executable);
    return std::move(found.folders_);
  }

 private:
  void AddInterpreter(const fs::path& executable) {
    std::error_code error;
    const fs::path prefix = executable.parent_path().parent_path();
    if (fs::exists(prefix / "pyvenv.cfg", error)) {
      AddPrefix(prefix, "");
      const auto settings = ReadSettings(prefix / "pyvenv.cfg");
      const auto inherits = settings.find("include-system-site-packages"), home = settings.find("home");
      if (inherits == settings.end() || inherits->second != "true" || home == settings.end()) return;
      AddSystem(fs::path(home->second) / "python3");
      return;
    }
    AddSystem(executable);
  }

  void AddSystem(const fs::path& executable) {
    std::error_code error;
    const fs::path real = fs::canonical(executable, error);
    const std::string version = error ? "" : VersionInName(real);
    const std::string home = GetEnvironment("HOME");
    if (!home.empty()) AddPrefix(fs::path(home) / ".local", version);
    AddPrefix("/usr/local", version);
    AddPrefix(executable.parent_path().parent_path(), version);
    if (!error) AddPrefix(real.parent_path().parent_path(), version);
  }

  // With a version: what other versions have installed there is left alone.
  void AddPrefix(const fs::path& prefix, const std::string& version) {
    for (const fs::path& python : FoldersIn(prefix / "lib")) {
      const std::string name = python.filename().string();
      const bool is_its =
          version.empty() ? name.starts_with("python3") : name == "python" + version || name == "python3";
      if (!is_its) continue;
      for (const char* folder : {"site-packages", "dist-packages"}) Add(python / folder);
    }
  }

  void Add(const fs::path& folder) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (!error && seen_.insert(real).second) folders_.push_back(real);
  }

  std::set<fs::path> seen_;
  std::vector<fs::path> folders_;
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
  for (const fs::path& site : SitePackages::Of(WithoutShim(python->executable, fs::absolute(folder)))) {
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
