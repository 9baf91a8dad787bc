// SPDX-License-Identifier: Apache-2.0
// The packages that a program uses: those that its types and functions name, and those that files beside it describe
// (what `package add` leaves in sdks/). Any thread; reading files blocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kingpost/plugin_host.h"
#include "languages/yaml/program_decl.h"

namespace kingpost::yaml {

// One file: a plugin and its version; with a parameter, which makes another package of it or extends it.
struct PackageDecl {
  std::string name, version, download_url;
  std::optional<Parameterization> parameterization, extension;

  // Whether tokens of the package are its. Those of an extension are in a package of its own, or in that of the
  // provider it extends.
  bool Serves(const std::string& package) const {
    return package == (parameterization ? parameterization->name : name) || (extension && package == extension->name);
  }
};

// In all *.yaml below the folder with `packageDeclarationVersion: 1`.
Result<std::vector<PackageDecl>> FindPackageDecls(const std::string& folder);

// A type or a function that a program names.
struct TokenUse {
  std::string token, version, download_url;  // the last two as its options have them
  pcl::Position at;
  bool function = false;
};
TokenUse UseOf(const ResourceDecl& resource);
std::vector<TokenUse> TokensIn(const Body& body);

// The packages that must be there before the program runs.
std::vector<RequiredPackage> RequiredPackagesOf(const ProgramDecl& program, const std::vector<PackageDecl>& decls);

}  // namespace kingpost::yaml
