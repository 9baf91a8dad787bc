// SPDX-License-Identifier: Apache-2.0
// Which package a token belongs to, and what the package's schema says of it. Several packages may serve one namespace:
// a provider, and others that extend it. Owns the schemas that were loaded. Engine thread.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kingpost/embedded_language.h"
#include "languages/schema/package.h"
#include "languages/yaml/packages.h"

namespace kingpost::yaml {

// A resource or a function of a package that the index owns.
template <class Member>
struct Resolved {
  const Member* schema;
  std::string package_ref;  // "" for the package that the token names
};
using ResolvedResource = Resolved<schema::Resource>;
using ResolvedFunction = Resolved<schema::Function>;

class PackageIndex {
 public:
  PackageIndex(LanguageServices services, std::vector<PackageDecl> decls)
      : services_(std::move(services)), decls_(std::move(decls)), loading_(*services_.loop) {}

  // Loads what the tokens need. What cannot be had is told in *diagnostics, at the token.
  Task<void> Load(std::vector<TokenUse> uses, Diagnostics* diagnostics);
  // Tells the engine of the packages that files describe; after it the references are known.
  Task<Status> Register();

  // Those that were loaded, by the names that they have of their own.
  schema::Packages packages() const;
  // Errors tell what could not be found. Loaded before.
  Result<ResolvedResource> FindResource(const TokenUse& use) const;
  Result<ResolvedFunction> FindFunction(const std::string& token) const;

 private:
  struct Loaded {
    PackageDecl decl;
    schema::PackagePtr package;
  };

  std::vector<PackageDecl> DeclsOf(const TokenUse& use) const;
  Task<Result<schema::PackagePtr>> Open(PackageDecl decl);
  std::string RefOf(const PackageDecl& decl) const;

  const LanguageServices services_;
  const std::vector<PackageDecl> decls_;
  Mutex loading_;                            // one at a time, so that nothing is loaded twice
  std::set<std::string> known_;              // the uses whose packages were asked for
  std::map<std::string, Loaded> loaded_;     // by plugin, version, address and parameter
  std::map<std::string, std::string> refs_;  // by the name that a package has of its own
};

}  // namespace kingpost::yaml
