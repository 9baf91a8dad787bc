// SPDX-License-Identifier: Apache-2.0
// See stack_config.h.
#include "workspace/stack_config.h"

#include <algorithm>

#include "base/disk/durable_file.h"
#include "base/disk/folder_lock.h"
#include "base/encoding.h"
#include "base/json_access.h"
#include "workspace/yaml_edit.h"

namespace kingpost {
namespace {

using Json = nlohmann::json;

// Others finish in milliseconds; a longer wait means a hanging disk.
constexpr std::chrono::seconds kTurnPatience{30};

constexpr const char* kSettings[] = {"secretsprovider", "encryptedkey", "encryptionsalt"};

}  // namespace

Result<StackConfig> StackConfig::Load(const std::string& file, const std::string& project) {
  Result<std::string> text = ReadWholeFile(file);
  if (!text.ok() && text.status().code() != Code::kNotFound) return text.status();
  Result<YamlDocument> document = YamlDocument::Parse(file, text.ok() ? std::move(*text) : "", YamlNumbers::kAsWritten);
  if (!document.ok()) return document.status();

  StackConfig settings;
  settings.project_ = project;
  settings.document_ = std::move(*document);
  if (const Status read = settings.Read(); !read.ok()) return read;
  settings.loaded_salt_ = settings.encryption_salt();
  settings.loaded_key_ = settings.encrypted_key();
  settings.loaded_config_ = settings.config_;
  return settings;
}

Status StackConfig::Read() {
  const Json& root = document_.json();
  if (root.is_null()) return Status::Ok();
  if (!root.is_object()) return document_.Error("", "the settings of a stack are a map with 'config' and the like");
  for (const char* name : kSettings) {
    if (!root.contains(name) || root[name].is_null()) continue;
    if (!root[name].is_string())
      return document_.Error(std::string("/") + name, std::string(name) + " must be a string");
    settings_[name] = TextIn(root[name]);
  }
  if (!root.contains("config") || root["config"].is_null()) return Status::Ok();
  if (!root["config"].is_object()) return document_.Error("/config", "'config' must be a map of keys");
  for (const auto& [spelling, value] : root["config"].items()) {
    const Result<ConfigKey> key = ConfigKey::Parse(spelling, project_);
    if (!key.ok()) return document_.Error("/config/" + spelling, key.status().message());
    const auto [other, unique] = spellings_.emplace(key->str(), spelling);
    if (!unique) {
      return document_.Error("/config/" + spelling, "the key '" + key->str() + "' is set twice, as '" + other->second +
                                                        "' and as '" + spelling + "'; remove one of them");
    }
    if (value.is_null()) empty_keys_.push_back(spelling);
    config_[key->str()] = value.is_null() ? Json("") : value;
  }
  return Status::Ok();
}

std::string StackConfig::Setting(const std::string& name) const {
  const auto found = settings_.find(name);
  return found == settings_.end() ? "" : found->second;
}

bool StackConfig::HasSecrets() const {
  return std::any_of(config_.begin(), config_.end(), [](const auto& entry) { return ContainsSecure(entry.second); });
}

Result<std::optional<Json>> StackConfig::Get(const std::string& key, bool path) const {
  const Result<ConfigKey> parsed = ConfigKey::Parse(key, project_);
  if (!parsed.ok()) return parsed.status();
  return GetConfig(config_, *parsed, path);
}

// Once to this object, and once more to the file if another process has saved it since.
Status StackConfig::Make(Edit edit) {
  const Status made = edit(this);
  if (made.ok()) edits_.push_back(std::move(edit));
  return made;
}

void StackConfig::Set(const std::string& name, const std::string& value) {
  const bool is_first = Setting(name).empty();
  (void)Make([is_first, name, value](StackConfig* settings) {
    if (!is_first || settings->Setting(name).empty()) settings->settings_[name] = value;
    return Status::Ok();
  });
}

// Only what it changes: other keys may have come meanwhile.
void StackConfig::set_config(ConfigMap config) {
  (void)Make([before = config_, after = std::move(config)](StackConfig* settings) {
    for (const auto& [key, value] : before) {
      if (!after.count(key)) settings->config_.erase(key);
    }
    for (const auto& [key, value] : after) {
      const auto former = before.find(key);
      if (former == before.end() || former->second != value) settings->config_[key] = value;
    }
    return Status::Ok();
  });
}

Status StackConfig::SetText(const std::string& key, const std::string& text, bool path) {
  if (!IsValidUtf8(text)) {
    return Status(Code::kInvalidArgument, "the value of '" + key +
                                              "' is not a text in UTF-8, so the settings cannot hold "
                                              "it: encode it, as base64 for example");
  }
  const Result<ConfigKey> parsed = ConfigKey::Parse(key, project_);
  if (!parsed.ok()) return parsed.status();
  const Result<PropertyPath> elements = PropertyPath::Parse(parsed->name);
  const bool inside = path && elements.ok() && elements->elements().size() > 1;
  return SetJson(key, inside ? CoerceConfigText(text) : Json(text), path);
}

Status StackConfig::SetSecret(const std::string& key, const std::string& ciphertext, bool path) {
  return SetJson(key, SecureValue(ciphertext), path);
}

Status StackConfig::SetJson(const std::string& key, const Json& value, bool path) {
  const Result<ConfigKey> parsed = ConfigKey::Parse(key, project_);
  if (!parsed.ok()) return parsed.status();
  return Make([name = *parsed, value, path](StackConfig* settings) {
    return SetConfig(&settings->config_, name, value, path);
  });
}

Status StackConfig::Remove(const std::string& key, bool path) {
  const Result<ConfigKey> parsed = ConfigKey::Parse(key, project_);
  if (!parsed.ok()) return parsed.status();
  return Make([name = *parsed, path](StackConfig* settings) { return RemoveConfig(&settings->config_, name, path); });
}

std::string StackConfig::TextInProject(const std::string& from, const std::string& to) const {
  const YamlNode* config = document_.root() ? document_.root()->Find("config") : nullptr;
  std::string text = document_.text();
  if (!config) return text;
  // From the end, so that the places of the others stay.
  for (auto entry = config->pairs.rbegin(); entry != config->pairs.rend(); ++entry) {
    const YamlNode& key = *entry->first;
    const size_t at = text.find(from + ":", key.begin);
    if (key.text.starts_with(from + ":") && at <= key.begin + 1) text.replace(at, from.size(), to);  // 1: a quote
  }
  return text;
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
    // An untouched empty value stays empty.
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

// Secrets that were encrypted under one key must not end up beside another's salt.
Status StackConfig::CheckSecretsKey(const StackConfig& now) const {
  const bool had_one = !loaded_salt_.empty() || !loaded_key_.empty();
  const auto differs = [this](const StackConfig& settings) {
    return settings.encryption_salt() != loaded_salt_ || settings.encrypted_key() != loaded_key_;
  };
  const bool changed_by_them = had_one && differs(now);
  const bool changed_by_us = had_one && differs(*this);
  if (!changed_by_them && (!changed_by_us || now.config_ == loaded_config_)) return Status::Ok();
  return Status(Code::kAborted,
                file() +
                    ": another command changed the settings of the stack meanwhile; nothing was written, run this "
                    "one again");
}

Status StackConfig::Save() {
  if (Text() == document_.text()) return Status::Ok();
  const size_t slash = file().rfind('/');
  const FolderLock turn(slash == std::string::npos ? "." : file().substr(0, slash + 1), kTurnPatience);
  Result<StackConfig> now = Load(file(), project_);
  if (!now.ok()) return now.status();
  if (now->document_.text() != document_.text()) {
    if (const Status same_key = CheckSecretsKey(*now); !same_key.ok()) return same_key;
    for (const Edit& edit : edits_) {
      if (const Status made = edit(&*now); !made.ok()) return made;
    }
  }
  const std::string text = now->document_.text() == document_.text() ? Text() : now->Text();
  // A change never exchanges the settings for unreadable ones.
  const Result<YamlDocument> readable = YamlDocument::Parse(file(), text);
  if (!readable.ok()) return readable.status().Wrap("the change is not made, because with it");
  const Status written = WriteFileDurably(file(), text);
  if (!written.ok()) return written;
  Result<StackConfig> saved = Load(file(), project_);
  if (!saved.ok()) return saved.status();
  *this = std::move(*saved);
  return Status::Ok();
}

}  // namespace kingpost
