// SPDX-License-Identifier: Apache-2.0
// The packages of a project that are folders on this machine, with those that their plugins need in turn. A plugin in
// source form names its packages in its PulumiPlugin.yaml, relative to its own folder. Reads these files; any thread.
#pragma once

#include <string>
#include <vector>

#include "workspace/project.h"

namespace kingpost {

// "./components", "../components", "/srv/components"; others are names of plugins or addresses.
bool IsLocalSource(const std::string& source);

struct LocalPackage {
  std::string name;  // as its owner calls it
  std::string path;  // of a folder or a program, absolute
};

struct LocalPackages {
  std::vector<LocalPackage> packages;  // each behind those that it needs
  std::vector<std::string> cycle;      // paths that need each other, the first one again at the end; empty if none do
};
LocalPackages FindLocalPackages(const Project& project);

}  // namespace kingpost
