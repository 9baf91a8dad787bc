// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/bind.h"

#include <algorithm>

#include "base/json_access.h"
#include "base/text.h"
#include "languages/schema/binder.h"
#include "model/semver.h"

namespace kingpost::schema {

namespace {

constexpr char kCoreSchema[] = R"({
  "name": "pulumi",
  "displayName": "Pulumi",
  "version": "3.0.0",
  "resources": {
    "pulumi:index:Stash": {
      "description": "A value that is kept in the state.",
      "properties": {
        "input": {"$ref": "pulumi.json#/Any", "description": "The value that was given last."},
        "output": {"$ref": "pulumi.json#/Any", "description": "The value that is kept."}
      },
      "required": ["input", "output"],
      "inputProperties": {"input": {"$ref": "pulumi.json#/Any", "description": "The value to keep."}},
      "requiredInputs": ["input"]
    },
    "pulumi:pulumi:StackReference": {
      "description": "The outputs of another stack.",
      "properties": {
        "name": {"type": "string"},
        "outputs": {"type": "object", "additionalProperties": {"$ref": "pulumi.json#/Any"}},
        "secretOutputNames": {"type": "array", "items": {"type": "string"}}
      },
      "required": ["outputs"],
      "inputProperties": {"name": {"type": "string", "description": "ORGANIZATION/PROJECT/STACK"}},
      "requiredInputs": ["name"]
    }
  },
  "provider": {},
  "language": {"go": {"importBasePath": "github.com/pulumi/pulumi/sdk/v3/go/pulumi"}}
})";

}  // namespace

bool HasErrors(const Diagnostics& diagnostics) { return std::ranges::any_of(diagnostics, &Diagnostic::error); }

void Binder::Error(const std::string& path, const std::string& text, const std::string& detail) {
  diagnostics_.push_back({true, path.empty() ? text : path + ": " + text, detail});
}

void Binder::Warn(const std::string& path, const std::string& text) {
  diagnostics_.push_back({false, path + ": " + text, ""});
}

const Binder::Json& Binder::Part(const Json& object, const char* name) {
  static const Json nothing = Json::object();
  const Json* part = FieldOf(object, name);
  return part && part->is_object() ? *part : nothing;
}

const Binder::Json* Binder::Spec(const char* section, const std::string& token) const {
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
                                                        {"namespace", &package.name_space}};
  for (const auto& [field, text] : texts) *text = TextOf(document_, field);
  for (const Json& word : ListOf(document_, "keywords")) package.keywords.push_back(TextIn(word));
  for (const Json& spec : ListOf(document_, "dependencies")) {
    const Json& parameterization = Part(spec, "parameterization");
    const Json& named = parameterization.empty() ? spec : parameterization;
    package.dependencies.push_back({TextOf(named, "name"), TextOf(named, "version")});
  }
  const std::string version = TextOf(document_, "version");
  if (version.empty()) return;
  package.version = TolerantSemver(version);
  if (package.version.empty()) Error("#/version", "failed to parse semver: '" + version + "'");
}

void Binder::ReadBase() {
  for (const char* field : {"parameterization", "extensionParameterization"}) {
    const Json* spec = FieldOf(document_, field);
    if (!spec) continue;
    if (package_->base) {
      Error("#/parameterization", "a package may declare parameterization or extensionParameterization, not both");
      continue;
    }
    const Json& provider = Part(*spec, "baseProvider");
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

// Tries the token as it is, else in another case. Then with the index, and with the name as the last part of the
// module, where classic packages repeat it. Then with the module that the package's pattern finds in it.
std::string Binder::FindFullToken(const char* section, const std::string& token) const {
  const Json& members = Section(section);
  const auto wanted = SplitToken(token);
  if (members.contains(token) || !wanted) return members.contains(token) ? token : "";
  const std::string indexed = wanted->package + ":" + wanted->module + ":" + wanted->name;
  const std::string repeated = wanted->package + ":" + wanted->module + "/" + wanted->name + ":" + wanted->name;
  for (const std::string& spelling : {Lowered(token), Lowered(indexed), Lowered(repeated)}) {
    for (const auto& [candidate, spec] : members.items()) {
      if (candidate.size() == spelling.size() && Lowered(candidate) == spelling) return candidate;
    }
  }
  const std::string module = package_->ModuleOf(indexed);
  for (const auto& [candidate, spec] : members.items()) {
    if (NameOfToken(candidate) == wanted->name && package_->ModuleOf(candidate) == module) return candidate;
  }
  return "";
}

const std::string& Binder::FullToken(const char* section, const std::string& token) {
  const auto [known, is_new] = full_tokens_.try_emplace(section + ("/" + token));
  if (is_new) known->second = FindFullToken(section, token);
  return known->second;
}

void Binder::ReadPackage() {
  if (TextOf(document_, "name").empty()) Error("#/name", "no name provided");
  ReadFacts();
  package_->support_pack = BoolOf(Section("meta"), "supportPack");
  if (package_->support_pack && package_->version.empty()) {
    Error("#/version", "version must be provided when package supports packing");
  }
  ReadBase();
  ReadModuleFormat();
  if (!package_->base || !package_->base->extension) package_->provider = BindProvider();
}

void Binder::BindSections() {
  package_->config = BindProperties("#/config", Section("config"), "variables", "defaults");
  if (package_->provider) CheckProvider();
  for (const auto& [token, spec] : Section("resources").items()) {
    package_->resources.push_back(BindResource(token));
    CheckParts(MemberPath("resources", token), spec, *package_->resources.back());
  }
  for (const auto& [token, spec] : Section("functions").items()) {
    package_->functions.push_back(BindFunction(token));
    package_->functions.back()->input_properties();
    package_->functions.back()->output_properties();
  }
  for (const auto& [token, spec] : Section("types").items()) {
    const Type* type = BindDefinition(token);
    if (type->object) package_->objects.push_back(type->object);
    if (type->enumeration) package_->enums.push_back(type->enumeration);
  }
  for (const ObjectType* object : package_->objects) object->properties.get();
}

Diagnostics Binder::BindAll() {
  CheckTokens();
  BindSections();
  CheckCycles();
  CheckDuplicates();
  return std::move(diagnostics_);
}

namespace {

std::shared_ptr<Package> NewPackage(nlohmann::json document, const BindOptions& options) {
  auto package = std::make_shared<Package>();
  package->binder = std::make_unique<Binder>(std::move(document), options, package.get());
  package->binder->ReadPackage();
  return package;
}

}  // namespace

BoundPackage Bind(const nlohmann::ordered_json& document, const BindOptions& options) {
  auto package = NewPackage(nlohmann::json(document), options);
  auto diagnostics = package->binder->BindAll();
  return {std::move(package), std::move(diagnostics)};
}

Result<PackagePtr> Open(const std::string& name, std::string_view text) {
  nlohmann::json document = ParseJson(text);
  if (!document.is_object()) {
    return Status(Code::kInvalidArgument, "the schema of package '" + name + "' is not a JSON object");
  }
  return PackagePtr(NewPackage(std::move(document), {.dangling_references = true, .lookup = nullptr}));
}

Result<PackagePtr> BindWhole(const nlohmann::ordered_json& document, const BindOptions& options) {
  BoundPackage bound = Bind(document, options);
  if (!HasErrors(bound.diagnostics)) return PackagePtr(bound.package);
  std::string text;
  for (const Diagnostic& one : bound.diagnostics) {
    if (one.error) text += (text.empty() ? "" : "\n") + one.text + (one.detail.empty() ? "" : "; " + one.detail);
  }
  return Status(Code::kInvalidArgument, text);
}

std::string CorePackageSchema() { return kCoreSchema; }

PackagePtr CorePackage() {
  auto opened = Open("pulumi", kCoreSchema);
  KP_ASSERT(opened.ok(), "the schema of the package pulumi is JSON");
  return *opened;
}

Package::Package() = default;
Package::~Package() = default;

std::string Package::DocumentText() const { return binder->document().dump(); }

nlohmann::json Package::LanguageOptions(const std::string& name) const {
  return ObjectOf(ObjectOf(binder->document(), "language"), name);
}

const ObjectType* Package::FindObject(const std::string& token) const {
  const Type* type = binder->BindDefinition(token);
  return type ? type->object : nullptr;
}

const EnumType* Package::FindEnum(const std::string& token) const {
  const Type* type = binder->BindDefinition(token);
  return type ? type->enumeration : nullptr;
}

const Resource* Package::FindResource(const std::string& token) const {
  if (IsProviderType(token)) return provider;
  return binder->BindResource(binder->FullToken("resources", token));
}

const Function* Package::FindFunction(const std::string& token) const {
  return binder->BindFunction(binder->FullToken("functions", token));
}

}  // namespace kingpost::schema
