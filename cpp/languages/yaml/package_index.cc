// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/package_index.h"

#include "base/encoding.h"
#include "languages/schema/bind.h"

namespace kingpost::yaml {

namespace {

const std::optional<Parameterization>& ParameterOf(const PackageDecl& decl) {
  return decl.extension ? decl.extension : decl.parameterization;
}

std::string OwnName(const PackageDecl& decl) {
  const auto& parameter = ParameterOf(decl);
  return parameter ? parameter->name : decl.name;
}

std::string KeyOfDecl(const PackageDecl& decl) {
  std::string key = Quote(decl.name) + Quote(decl.version) + Quote(decl.download_url);
  if (const auto& parameter = ParameterOf(decl)) key += Quote(parameter->name) + Base64Encode(parameter->value);
  return key;
}

// All tokens with the same key are looked up in the same packages.
std::string KeyOf(const TokenUse& use) {
  return Quote(schema::PackageOf(use.token)) + Quote(use.version) + Quote(use.download_url);
}

// Types that programs in YAML cannot have: what they stand for is made by the SDKs of other languages.
std::string WhyUnsupported(const std::string& token) {
  static const std::set<std::string> kByOtherSdks = {"kubernetes:apiextensions.k8s.io:CustomResource",
                                                     "kubernetes:kustomize:Directory", "kubernetes:yaml:ConfigFile",
                                                     "kubernetes:yaml:ConfigGroup"};
  if (kByOtherSdks.count(token) > 0) return "The resource type [" + token + "] is not supported in YAML at this time";
  if (token != "kubernetes:helm.sh/v2:Chart" && token != "kubernetes:helm.sh/v3:Chart") return "";
  return "Helm Chart resources are not supported in YAML, consider using the Helm Release resource instead: "
         "kubernetes:helm.sh/v3:Release";
}

}  // namespace

// The packages of the namespace, and the provider itself unless one of them is it, or takes its place.
std::vector<PackageDecl> PackageIndex::DeclsOf(const TokenUse& use) const {
  const std::string package = schema::PackageOf(use.token);
  std::vector<PackageDecl> decls;
  bool complete = false;
  for (const PackageDecl& decl : decls_) {
    if (!decl.Serves(package)) continue;
    decls.push_back(decl);
    complete = complete || !decl.extension || decl.extension->name == package;
  }
  if (!complete) decls.push_back({package, "", "", std::nullopt, std::nullopt});
  for (PackageDecl& decl : decls) {
    if (!use.version.empty()) decl.version = use.version;
    if (!use.download_url.empty()) decl.download_url = use.download_url;
  }
  return decls;
}

Task<Result<schema::PackagePtr>> PackageIndex::Open(PackageDecl decl) {
  if (decl.name == "pulumi") co_return schema::CorePackage();
  ProviderSpec spec{decl.name, decl.version, decl.download_url, {}, {}, ""};
  auto loading = services_.load_schema(std::move(spec), ParameterOf(decl));
  auto text = co_await std::move(loading);
  if (!text.ok()) co_return text.status().Wrap("error loading schema for " + Quote(decl.name));
  co_return schema::Open(decl.name, *text);
}

Task<void> PackageIndex::Load(std::vector<TokenUse> uses, Diagnostics* diagnostics) {
  auto permit = co_await loading_.Acquire();
  for (const TokenUse& use : uses) {
    if (!schema::SplitToken(use.token)) {
      diagnostics->Error(use.at, "invalid type token " + Quote(use.token));
      continue;
    }
    const std::string unsupported = use.function ? "" : WhyUnsupported(use.token);
    if (!unsupported.empty()) diagnostics->Error(use.at, unsupported);
    if (!unsupported.empty() || !known_.insert(KeyOf(use)).second) continue;
    for (const PackageDecl& decl : DeclsOf(use)) {
      const std::string key = KeyOfDecl(decl);
      if (loaded_.count(key) > 0) continue;
      Result<schema::PackagePtr> package = co_await Open(decl);
      if (!package.ok()) {
        diagnostics->Error(use.at, package.status().message());
        break;
      }
      loaded_[key] = {decl, std::move(*package)};
    }
  }
}

Task<Status> PackageIndex::Register() {
  for (const PackageDecl& decl : decls_) {
    if (refs_.count(OwnName(decl)) > 0) continue;
    Monitor* monitor = services_.monitor();
    if (!monitor) co_return Status(Code::kUnavailable, "the run was stopped");
    RegisterPackageRequest request{decl.name,        decl.version,          decl.download_url,
                                   /*checksums=*/{}, decl.parameterization, decl.extension};
    auto registering = monitor->RegisterPackage(std::move(request));
    auto ref = co_await std::move(registering);
    if (!ref.ok()) co_return ref.status().Wrap("registering package " + decl.name);
    refs_[OwnName(decl)] = *ref;
  }
  co_return Status();
}

std::string PackageIndex::RefOf(const PackageDecl& decl) const {
  const auto found = refs_.find(OwnName(decl));
  return found == refs_.end() ? "" : found->second;
}

schema::Packages PackageIndex::packages() const {
  schema::Packages packages;
  for (const auto& [key, loaded] : loaded_) packages[OwnName(loaded.decl)] = loaded.package;
  return packages;
}

Result<ResolvedResource> PackageIndex::FindResource(const TokenUse& use) const {
  for (const PackageDecl& decl : DeclsOf(use)) {
    const auto loaded = loaded_.find(KeyOfDecl(decl));
    const auto* schema = loaded == loaded_.end() ? nullptr : loaded->second.package->FindResource(use.token);
    if (!schema) continue;
    // A version of its own is asked for by the request, which has no room for both.
    const bool own = !use.version.empty() || !use.download_url.empty();
    return ResolvedResource{schema, own ? "" : RefOf(decl)};
  }
  return Status(Code::kNotFound, "unable to find resource type " + Quote(use.token) + " in resource provider " +
                                     Quote(schema::PackageOf(use.token)));
}

Result<ResolvedFunction> PackageIndex::FindFunction(const std::string& token) const {
  const std::string package = schema::PackageOf(token);
  // Those without a version of a resource's own come first. By its own name an extension is known even where the
  // program goes by the provider's.
  std::vector<const Loaded*> candidates;
  for (const PackageDecl& decl : DeclsOf({token, "", "", {}, true})) {
    const auto loaded = loaded_.find(KeyOfDecl(decl));
    if (loaded != loaded_.end()) candidates.push_back(&loaded->second);
  }
  for (const auto& [key, loaded] : loaded_) {
    if (loaded.decl.Serves(package)) candidates.push_back(&loaded);
  }
  for (const Loaded* loaded : candidates) {
    const schema::Function* schema = loaded->package->FindFunction(token);
    if (schema) return ResolvedFunction{schema, RefOf(loaded->decl)};
  }
  return Status(Code::kNotFound, "unable to find function " + Quote(token) + " in resource provider " + Quote(package));
}

}  // namespace kingpost::yaml
