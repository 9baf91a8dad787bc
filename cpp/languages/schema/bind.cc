// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/bind.h"

#include <set>

#include "base/json_access.h"
#include "languages/schema/binder.h"
#include "languages/schema/json_path.h"
#include "model/semver.h"

namespace kingpost::schema {

namespace {

using Json = nlohmann::ordered_json;

void CollectReferences(const Json& value, std::set<std::pair<std::string, std::string>>* found) {
  const std::string text = TextOf(value, "$ref");
  if (!text.empty() && !text.starts_with("pulumi.json")) {
    const auto reference = ParseReference(text);
    if (reference.ok() && !reference->package.empty()) found->insert({reference->package, reference->version});
  }
  if (!value.is_structured()) return;
  for (const Json& element : value) CollectReferences(element, found);
}

}  // namespace

void Binder::Error(const std::string& path, const std::string& text, const std::string& detail) {
  diagnostics_.push_back({true, path.empty() ? text : path + ": " + text, detail});
}

void Binder::Warn(const std::string& path, const std::string& text) {
  diagnostics_.push_back({false, path + ": " + text, ""});
}

const Json& Binder::Section(const char* name) const {
  static const Json nothing = Json::object();
  const Json* section = FieldOf(document_, name);
  return section ? *section : nothing;
}

const Json* Binder::Spec(const char* section, const std::string& token) const {
  return FieldOf(Section(section), token);
}

void Binder::ReadFacts() {
  Package& package = *package_;
  const std::pair<const char*, std::string*> texts[] = {{"name", &package.name},
                                                        {"displayName", &package.display_name},
                                                        {"description", &package.description},
                                                        {"homepage", &package.homepage},
                                                        {"license", &package.license},
                                                        {"attribution", &package.attribution},
                                                        {"repository", &package.repository},
                                                        {"pluginDownloadURL", &package.download_url},
                                                        {"publisher", &package.publisher},
                                                        {"namespace", &package.name_space}};
  for (const auto& [field, text] : texts) *text = TextOf(document_, field);
  for (const Json& word : ListOf(document_, "keywords")) package.keywords.push_back(TextIn(word));
  package.language = std::make_shared<const nlohmann::json>(
      ParseJson(nlohmann::ordered_json(kingpost::ObjectOf(document_, "language")).dump()));
  const std::string version = TextOf(document_, "version");
  if (version.empty()) return;
  package.version = TolerantSemver(version);
  if (package.version.empty()) Error("#/version", "failed to parse semver: '" + version + "'");
}

void Binder::ReadMeta() {
  const Json meta = kingpost::ObjectOf(document_, "meta");
  package_->support_pack = BoolOf(meta, "supportPack");
  if (package_->support_pack && package_->version.empty()) {
    Error("#/version", "version must be provided when package supports packing");
  }
}

void Binder::ReadBase() {
  for (const char* field : {"parameterization", "extensionParameterization"}) {
    const Json* spec = FieldOf(document_, field);
    if (!spec) continue;
    if (package_->base) {
      Error("#/parameterization", "a package may declare parameterization or extensionParameterization, not both");
      continue;
    }
    const Json provider = kingpost::ObjectOf(*spec, "baseProvider");
    const std::string path = std::string("#/") + field + "/baseProvider";
    BasePlugin base{TextOf(provider, "name"), TextOf(provider, "version"), TextOf(*spec, "parameter"),
                    field == std::string("extensionParameterization")};
    if (base.name.empty()) Error(path + "/name", "provider name must be specified");
    if (!IsSemver(base.version)) Error(path + "/version", "invalid version \"" + base.version + "\"");
    package_->base = base;
    package_->support_pack = true;  // its version is a part of what it is
  }
  if (package_->base && package_->base->extension && FieldOf(document_, "provider")) {
    Error("#/provider", "a package with an extensionParameterization may not declare a provider");
  }
}

void Binder::ReadDependencies() {
  for (const Json& spec : ListOf(document_, "dependencies")) {
    const Json parameterization = kingpost::ObjectOf(spec, "parameterization");
    const Json& named = parameterization.empty() ? spec : parameterization;
    package_->dependencies.push_back({TextOf(named, "name"), TextOf(named, "version")});
  }
}

void Binder::Finish() {
  const Json config = kingpost::ObjectOf(document_, "config");
  package_->config = BindProperties("#/config/variables", FieldOf(config, "variables"), "#/config/defaults",
                                    FieldOf(config, "defaults"));
  if (!package_->base || !package_->base->extension) package_->provider = BindProvider();
  std::set<std::string> resources, functions, types;
  for (const auto& item : Section("resources").items()) resources.insert(item.key());
  for (const auto& item : Section("functions").items()) functions.insert(item.key());
  for (const auto& item : Section("types").items()) types.insert(item.key());
  for (const std::string& token : resources) package_->resources.push_back(BindResource(token));
  for (const std::string& token : functions) package_->functions.push_back(BindFunction(token));
  for (const std::string& token : types) {
    Type type;
    BindDefinition(token, &type);
    if (type.object) package_->objects.push_back(type.object);
    if (type.enumeration) package_->enums.push_back(type.enumeration);
  }
}

void Binder::Nested(std::function<void()> work) {
  if (depth_ == kNestedMax) {
    postponed_.push_back(std::move(work));
    return;
  }
  ++depth_;
  work();
  while (depth_ == 1 && !postponed_.empty()) {
    const auto next = std::move(postponed_.back());
    postponed_.pop_back();
    next();
  }
  --depth_;
}

Bound Binder::Run() {
  if (TextOf(document_, "name").empty()) Error("#/name", "no name provided");
  ReadFacts();
  ReadMeta();
  ReadBase();
  ReadDependencies();
  CheckTokens();
  Finish();
  CheckCycles();
  CheckDuplicates();
  return {package_, std::move(diagnostics_)};
}

Bound Bind(const Json& document, const BindOptions& options) { return Binder(document, options).Run(); }

Result<std::shared_ptr<const Package>> BindWhole(const Json& document, const BindOptions& options) {
  Bound bound = Bind(document, options);
  if (!HasErrors(bound.diagnostics)) return std::shared_ptr<const Package>(bound.package);
  std::string text;
  for (const Diagnostic& one : bound.diagnostics) {
    if (one.error) text += (text.empty() ? "" : "\n") + one.text + (one.detail.empty() ? "" : "; " + one.detail);
  }
  return Status(Code::kInvalidArgument, text);
}

std::vector<Dependency> ReferencedPackages(const Json& document) {
  std::set<std::pair<std::string, std::string>> found;
  CollectReferences(document, &found);
  std::vector<Dependency> packages;
  for (const auto& [name, version] : found) {
    if (name != TextOf(document, "name")) packages.push_back({name, version});
  }
  return packages;
}

}  // namespace kingpost::schema
