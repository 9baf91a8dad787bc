// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_access.h"
#include "runtimes/package_description.h"
#include "runtimes/package_scan.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr int kNodeModulesDepthMax = 8;

bool IsFolder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool HasEntry(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// The folder whose package.json is that of a program in `program`; the root of the file system if there is none.
fs::path PackageAround(const fs::path& program) {
  for (fs::path at = program;; at = at.parent_path()) {
    if (at == at.root_path() || HasEntry(at / "package.json") || HasEntry(at / "package.yaml")) return at;
  }
}

// The package of that name that code in `from` gets; empty if there is none.
fs::path Resolve(const std::string& name, const fs::path& from) {
  if (name.empty() || name[0] == '.' || name[0] == '/') return {};
  for (fs::path at = from;; at = at.parent_path()) {
    fs::path candidate = at / "node_modules" / name;
    if (IsFolder(candidate)) return candidate;
    if (at == at.root_path()) return {};
  }
}

std::vector<std::string> DependenciesIn(const nlohmann::json& manifest, bool of_program) {
  std::vector<std::string> kinds = {"dependencies", "optionalDependencies", "peerDependencies"};
  if (of_program) kinds.emplace_back("devDependencies");
  std::vector<std::string> names;
  for (const std::string& kind : kinds) {
    const nlohmann::json* of_kind = FieldOf(manifest, kind);
    if (!of_kind || !of_kind->is_object()) continue;
    for (const auto& [name, range] : of_kind->items()) names.push_back(name);
  }
  return names;
}

class NodeScan {
 public:
  explicit NodeScan(fs::path program) : program_(std::move(program)) {}

  std::vector<RequiredPackage> Run() {
    const fs::path scope = PackageAround(program_);
    for (fs::path at = program_;; at = at.parent_path()) {
      VisitNearest(at / "node_modules");
      if (at == scope) break;
    }
    if (HasModulesAbove(scope)) {
      Follow(ParseJson(TextOfFile(scope / "package.json")), scope, true);
      for (Pending& pending : pending_) pending.follow = true;
    }
    while (!pending_.empty()) {
      const Pending next = std::move(pending_.front());
      pending_.pop_front();
      Visit(next);
    }
    return std::move(packages_);
  }

 private:
  struct Pending {
    fs::path folder;
    int depth = 0;        // in folders called node_modules
    bool follow = false;  // what it depends on may be elsewhere than in the program's own node_modules
  };

  static bool HasModulesAbove(const fs::path& scope) {
    for (fs::path at = scope; at != at.root_path();) {
      at = at.parent_path();
      if (IsFolder(at / "node_modules")) return true;
    }
    return false;
  }

  // The folders that the program's own code looks through, from the nearest on.
  void VisitNearest(const fs::path& modules) {
    for (auto& [name, folder] : PackagesIn(modules)) {
      if (nearest_.insert(name).second) pending_.push_back({folder, 0, false});
    }
  }

  static std::vector<std::pair<std::string, fs::path>> PackagesIn(const fs::path& modules) {
    std::vector<std::pair<std::string, fs::path>> packages;
    std::error_code error;
    const fs::path real = fs::canonical(modules, error);
    if (error) return packages;
    for (const fs::path& folder : FoldersIn(real)) {
      const std::string name = folder.filename().string();
      if (name[0] == '@') {
        for (const fs::path& inner : FoldersIn(folder)) {
          packages.emplace_back(name + "/" + inner.filename().string(), inner);
        }
      } else if (name[0] != '.') {
        packages.emplace_back(name, folder);
      }
    }
    return packages;
  }

  // In a workspace packages are links to each other, so that each is found along very many paths. With pnpm, too, a
  // package is a link, and what it depends on stands beside what the link leads to.
  void Visit(const Pending& at) {
    std::error_code error;
    const fs::path real = fs::canonical(at.folder, error);
    if (error || !visited_.insert(real).second) return;
    if (HasEntry(real / "PulumiPolicy.yaml")) return;  // what a policy pack needs is not the program's
    const bool follow = at.follow || real != at.folder;
    const std::string text = TextOfFile(real / "package.json");
    const bool describes = text.find("\"pulumi\"") != std::string::npos;
    const nlohmann::json manifest = describes || follow ? ParseJson(text) : nlohmann::json();
    if (describes) Count(manifest);
    if (follow) Follow(manifest, real, false);
    if (at.depth == kNodeModulesDepthMax) return;
    for (auto& [name, folder] : PackagesIn(real / "node_modules")) pending_.push_back({folder, at.depth + 1, follow});
  }

  void Count(const nlohmann::json& manifest) {
    const nlohmann::json* description = FieldOf(manifest, "pulumi");
    if (!description) return;
    std::string name = TextOf(manifest, "name");
    if (name.starts_with("@pulumi/")) name.erase(0, 8);
    auto package = ReadPackageDescription(*description, name, TextOf(manifest, "version"));
    if (package) packages_.push_back(std::move(*package));
  }

  void Follow(const nlohmann::json& manifest, const fs::path& from, bool of_program) {
    for (const std::string& name : DependenciesIn(manifest, of_program)) {
      fs::path found = Resolve(name, from);
      if (!found.empty()) pending_.push_back({std::move(found), 0, true});
    }
  }

  const fs::path program_;  // without links
  std::deque<Pending> pending_;
  std::set<std::string> nearest_;  // names
  std::set<fs::path> visited_;     // folders of packages, without links
  std::vector<RequiredPackage> packages_;
};

}  // namespace

Result<std::vector<RequiredPackage>> ScanNodePackages(const std::string& folder) {
  std::error_code error;
  const fs::path program = fs::weakly_canonical(fs::absolute(folder), error);
  return NodeScan(error ? fs::absolute(folder).lexically_normal() : program).Run();
}

}  // namespace kingpost
