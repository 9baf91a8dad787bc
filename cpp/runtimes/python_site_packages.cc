// SPDX-License-Identifier: Apache-2.0
#include "runtimes/python_site_packages.h"

#include <map>
#include <set>
#include <sstream>

#include "base/json_access.h"
#include "base/os.h"
#include "base/pattern.h"
#include "base/percent.h"
#include "base/trim.h"
#include "runtimes/package_description.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

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

// Guessed from the place of the executable, because asking it costs as much as starting it.
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

}  // namespace

fs::path ResolveShim(const fs::path& executable, const fs::path& folder) {
  if (executable.parent_path().filename() != "shims") return executable;
  const fs::path root = executable.parent_path().parent_path();
  const std::string version = PyenvVersion(root, folder);
  std::error_code error;
  if (version.empty() || version == "system") return executable;
  const fs::path python = root / "versions" / version / "bin" / "python3";
  return fs::exists(python, error) ? python : executable;
}

std::vector<fs::path> SitePackagesOf(const std::string& executable, const std::string& folder) {
  return SitePackages::Of(ResolveShim(executable, fs::absolute(folder)));
}

std::vector<std::string> EditableSources(const fs::path& site) {
  constexpr std::string_view kFile = "file://";
  std::vector<std::string> sources;
  for (const fs::path& package : FoldersIn(site)) {
    if (package.extension() != ".dist-info") continue;
    const nlohmann::json origin = ParseJson(TextOfFile(package / "direct_url.json"));
    const std::string url = TextOf(origin, "url");
    if (BoolOf(ObjectOf(origin, "dir_info"), "editable") && url.starts_with(kFile)) {
      sources.push_back(PercentDecode(url.substr(kFile.size())));
    }
  }
  return sources;
}

}  // namespace kingpost
