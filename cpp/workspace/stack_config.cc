// See stack_config.h.
#include "workspace/stack_config.h"

#include <algorithm>

#include "store/durable_file.h"
#include "workspace/yaml_edit.h"

namespace kingpost {
namespace {

using Json = nlohmann::json;

constexpr const char* kSettings[] = {"secretsprovider", "encryptedkey", "encryptionsalt"};

}  // namespace

Result<StackConfig> StackConfig::Load(const std::string& file, const std::string& project) {
  Result<std::string> text = ReadWholeFile(file);
  if (!text.ok() && text.status().code() != Code::kNotFound) return text.status();
  Result<YamlDocument> document = YamlDocument::Parse(file, text.ok() ? std::move(*text) : "");
  if (!document.ok()) return document.status();

  StackConfig settings;
  settings.project_ = project;
  settings.document_ = std::move(*document);
  const Json& root = settings.document_.json();
  if (root.is_null()) return settings;
  if (!root.is_object())
    return settings.document_.Error("", "the settings of a stack are a map with 'config' and the like");
  for (const char* name : kSettings) {
    if (!root.contains(name) || root[name].is_null()) continue;
    if (!root[name].is_string())
      return settings.document_.Error(std::string("/") + name, std::string(name) + " must be a string");
    settings.settings_[name] = root[name].get<std::string>();
  }
  if (!root.contains("config") || root["config"].is_null()) return settings;
  if (!root["config"].is_object()) return settings.document_.Error("/config", "'config' must be a map of keys");
  for (const auto& [spelling, value] : root["config"].items()) {
    const Result<ConfigKey> key = ConfigKey::Parse(spelling, project);
    if (!key.ok()) return settings.document_.Error("/config/" + spelling, key.status().message());
    const auto [other, unique] = settings.spellings_.emplace(key->str(), spelling);
    if (!unique) {
      return settings.document_.Error("/config/" + spelling, "the key '" + key->str() + "' is set twice, as '" +
                                                                 other->second + "' and as '" + spelling + "'");
    }
    if (value.is_null()) settings.empty_keys_.push_back(spelling);
    settings.config_[key->str()] = value.is_null() ? Json("") : value;
  }
  return settings;
}

std::string StackConfig::Setting(const std::string& name) const {
  const auto found = settings_.find(name);
  return found == settings_.end() ? "" : found->second;
}

bool StackConfig::HasSecrets() const {
  return std::any_of(config_.begin(), config_.end(), [](const auto& entry) { return HoldsSecure(entry.second); });
}

Result<std::optional<Json>> StackConfig::Get(const std::string& key, bool path) const {
  const Result<ConfigKey> parsed = ConfigKey::Parse(key, project_);
  if (!parsed.ok()) return parsed.status();
  return GetConfig(config_, *parsed, path);
}

Status StackConfig::SetText(const std::string& key, const std::string& text, bool path) {
  const Result<ConfigKey> parsed = ConfigKey::Parse(key, project_);
  if (!parsed.ok()) return parsed.status();
  if (!path) return SetConfig(&config_, *parsed, text, false);
  const Result<PropertyPath> elements = PropertyPath::Parse(parsed->name);
  const bool inside = elements.ok() && elements->elements().size() > 1;
  return SetConfig(&config_, *parsed, inside ? CoerceConfigText(text) : Json(text), true);
}

Status StackConfig::SetSecret(const std::string& key, const std::string& ciphertext, bool path) {
  return SetJson(key, SecureValue(ciphertext), path);
}

Status StackConfig::SetJson(const std::string& key, const Json& value, bool path) {
  const Result<ConfigKey> parsed = ConfigKey::Parse(key, project_);
  return parsed.ok() ? SetConfig(&config_, *parsed, value, path) : parsed.status();
}

Status StackConfig::Remove(const std::string& key, bool path) {
  const Result<ConfigKey> parsed = ConfigKey::Parse(key, project_);
  return parsed.ok() ? RemoveConfig(&config_, *parsed, path) : parsed.status();
}

std::string StackConfig::Text() const {
  const Json& root = document_.json();
  nlohmann::ordered_json wanted = nlohmann::ordered_json::object();
  for (const char* name : kSettings) {
    if (!Setting(name).empty()) wanted[name] = Setting(name);
  }
  nlohmann::ordered_json config = nlohmann::ordered_json::object();
  for (const auto& [key, value] : config_) {
    const auto spelling = spellings_.find(key);
    const std::string& name = spelling == spellings_.end() ? key : spelling->second;
    // An empty value that nobody touched stays empty.
    const bool untouched = value == "" && root.is_object() && root.contains("config") &&
                           root["config"].contains(name) && root["config"][name].is_null();
    config[name] = untouched ? Json() : value;
  }
  if (!config.empty()) wanted["config"] = std::move(config);
  if (root.is_object()) {
    for (const auto& [name, value] : root.items()) {
      const bool ours =
          name == "config" || std::find(std::begin(kSettings), std::end(kSettings), name) != std::end(kSettings);
      if (!ours) wanted[name] = value;  // such as environment
    }
  }
  return EditYaml(document_, wanted);
}

Status StackConfig::Save() {
  std::string text = Text();
  if (text == document_.text()) return Status::Ok();
  const Status written = WriteFileDurably(file(), text);
  if (!written.ok()) return written;
  Result<StackConfig> saved = Load(file(), project_);
  if (!saved.ok()) return saved.status();
  *this = std::move(*saved);
  return Status::Ok();
}

}  // namespace kingpost
