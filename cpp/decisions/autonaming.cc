// SPDX-License-Identifier: Apache-2.0
// The configuration of names: a default, one for each provider, one for each type; the closest wins (row 3.40).
#include "decisions/autonaming.h"

#include "base/encoding.h"
#include "decisions/name_pattern.h"
#include "model/json_reader.h"

namespace kingpost::decisions {

namespace {

constexpr char kConfigKey[] = "pulumi:autonaming";

// How one resource gets its name.
struct Naming {
  enum class Kind { kDefault, kVerbatim, kDisabled, kPattern };
  Kind kind = Kind::kDefault;
  std::string pattern;
  bool enforce = false;
};

// The settings as written.
struct Settings {
  std::optional<std::string> mode, pattern;
  std::optional<bool> enforce;
  bool empty() const { return !mode && !pattern && !enforce; }
};
struct ProviderSettings : Settings {
  std::map<std::string, Settings> resources;
};
struct RootSettings : Settings {
  std::map<std::string, ProviderSettings> providers;
};

struct ProviderNaming {
  Naming fallback;
  std::map<std::string, Naming> resources;
};

Status Invalid(std::string message) { return Status(Code::kInvalidArgument, std::move(message)); }

// A misspelt setting would silently name things otherwise than was meant, so unknown ones fail.
void FailUnknown(std::string_view key, JsonReader* reader) {
  reader->Fail("unknown field " + Quote(key));
  reader->Skip();
}

bool ReadSetting(std::string_view key, JsonReader* reader, Settings* out) {
  const bool text = key == "mode" || key == "pattern";
  if (!text && key != "enforce") return false;
  if (reader->Peek() == JsonReader::Kind::kNull) {
    reader->ReadNull();
  } else if (text) {
    (key == "mode" ? out->mode : out->pattern) = std::string(reader->ReadString());
  } else {
    out->enforce = reader->ReadBool();
  }
  return true;
}

void ReadResource(JsonReader* reader, Settings* out) {
  std::string_view key;
  for (reader->BeginObject(); reader->NextKey(&key);) {
    if (!ReadSetting(key, reader, out)) FailUnknown(key, reader);
  }
}

void ReadProvider(JsonReader* reader, ProviderSettings* out) {
  std::string_view key;
  for (reader->BeginObject(); reader->NextKey(&key);) {
    if (ReadSetting(key, reader, out)) continue;
    if (key != "resources") {
      FailUnknown(key, reader);
      continue;
    }
    for (reader->BeginObject(); reader->NextKey(&key);) ReadResource(reader, &out->resources[std::string(key)]);
  }
}

Result<RootSettings> ReadRoot(const std::string& json) {
  RootSettings root;
  JsonReader reader(json);
  std::string_view key;
  for (reader.BeginObject(); reader.NextKey(&key);) {
    if (ReadSetting(key, &reader, &root)) continue;
    if (key != "providers") {
      FailUnknown(key, &reader);
      continue;
    }
    for (reader.BeginObject(); reader.NextKey(&key);) ReadProvider(&reader, &root.providers[std::string(key)]);
  }
  reader.Finish();
  if (!reader.ok()) return reader.status().Wrap("invalid autonaming config structure");
  return root;
}

Result<Naming> Resolve(const Settings& settings, const PatternContext& context) {
  if (settings.mode && (settings.pattern || settings.enforce)) {
    return Invalid("cannot specify both mode and pattern/enforce");
  }
  Naming naming;
  if (settings.pattern) {
    Result<std::string> pattern = ResolvePattern(*settings.pattern, context);
    if (!pattern.ok()) return pattern.status();
    naming.kind = Naming::Kind::kPattern;
    naming.pattern = std::move(*pattern);
    naming.enforce = settings.enforce.value_or(false);
    return naming;
  }
  if (settings.enforce) return Invalid("pattern must be specified when enforce is true");
  const std::string mode = settings.mode.value_or("default");
  if (mode == "default") return naming;
  if (mode != "verbatim" && mode != "disabled") return Invalid("invalid naming mode: " + mode);
  naming.kind = mode == "verbatim" ? Naming::Kind::kVerbatim : Naming::Kind::kDisabled;
  return naming;
}

Result<ProviderNaming> ResolveProvider(const std::string& name, const ProviderSettings& settings,
                                       const Naming& fallback, const PatternContext& context) {
  ProviderNaming provider;
  Result<Naming> own = Resolve(settings, context);
  if (!own.ok()) return own.status().Wrap("failed to resolve naming config for provider " + Quote(name));
  provider.fallback = settings.empty() ? fallback : *own;
  for (const auto& [type, resource] : settings.resources) {
    if (resource.empty()) return Invalid("mode or pattern must be specified for resource " + Quote(type));
    Result<Naming> naming = Resolve(resource, context);
    if (!naming.ok()) return naming.status().Wrap("failed to resolve naming config for resource " + Quote(type));
    provider.resources[type] = *naming;
  }
  return provider;
}

Autonamer::Proposal Propose(const Naming& naming, const Urn& urn, const std::string& seed) {
  Autonamer::Proposal proposal;
  switch (naming.kind) {
    case Naming::Kind::kDefault:
      return proposal;
    case Naming::Kind::kVerbatim:
      proposal.options = Autonaming{std::string(urn.name()), AutonamingMode::kEnforce};
      proposal.delete_before_replace = true;
      return proposal;
    case Naming::Kind::kDisabled:
      proposal.options = Autonaming{"", AutonamingMode::kDisable};
      proposal.delete_before_replace = true;
      return proposal;
    case Naming::Kind::kPattern: {
      const GeneratedName generated = GenerateName(naming.pattern, urn.name(), seed);
      const AutonamingMode mode = naming.enforce ? AutonamingMode::kEnforce : AutonamingMode::kPropose;
      proposal.options = Autonaming{generated.name, mode};
      proposal.delete_before_replace = !generated.random;
      proposal.warn_if_unsupported = naming.enforce;
      return proposal;
    }
  }
  return proposal;
}

}  // namespace

struct Autonamer::Impl {
  Naming fallback;
  std::map<std::string, ProviderNaming> providers;
};

Autonamer::Autonamer() : impl_(std::make_unique<Impl>()) {}
Autonamer::~Autonamer() = default;
Autonamer::Autonamer(Autonamer&&) noexcept = default;
Autonamer& Autonamer::operator=(Autonamer&&) noexcept = default;

Result<Autonamer> Autonamer::Parse(const std::string& json, const std::map<std::string, std::string>& config,
                                   const std::string& organization, const std::string& project,
                                   const std::string& stack) {
  const std::string where = std::string("config key \"") + kConfigKey + "\"";
  const PatternContext context{config, organization, project, stack};
  Result<RootSettings> settings = ReadRoot(json);
  if (!settings.ok()) return settings.status().Wrap(where);
  Autonamer autonamer;
  Result<Naming> fallback = Resolve(*settings, context);
  if (!fallback.ok()) return fallback.status().Wrap("failed to resolve root naming config").Wrap(where);
  autonamer.impl_->fallback = *fallback;
  for (const auto& [name, provider] : settings->providers) {
    Result<ProviderNaming> naming = ResolveProvider(name, provider, *fallback, context);
    if (!naming.ok()) return naming.status().Wrap(where);
    autonamer.impl_->providers[name] = std::move(*naming);
  }
  return autonamer;
}

Autonamer::Proposal Autonamer::ForResource(const Urn& urn, const std::string& seed) const {
  auto provider = impl_->providers.find(std::string(PackageOfType(urn.type())));
  if (provider == impl_->providers.end()) return Propose(impl_->fallback, urn, seed);
  auto resource = provider->second.resources.find(std::string(urn.type()));
  const bool named = resource != provider->second.resources.end();
  Proposal proposal = Propose(named ? resource->second : provider->second.fallback, urn, seed);
  // A configuration that names the provider or the type is about these resources, so the user gets a warning if it has
  // no effect.
  if (proposal.options) proposal.warn_if_unsupported = true;
  return proposal;
}

}  // namespace kingpost::decisions
