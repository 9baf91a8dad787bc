// SPDX-License-Identifier: Apache-2.0
// The settings of one stack: Pulumi.STACK.yaml, edited in place so that comments and order stay.
//
// Several commands may change one file side by side: each change is made to the file as it is when it is saved, so none
// is lost. Not thread-safe; one owner, the command that runs.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "workspace/config_value.h"
#include "workspace/yaml_node.h"

namespace kingpost {

class StackConfig {
 public:
  // A missing file is an empty one. Keys without a namespace belong to the project.
  static Result<StackConfig> Load(const std::string& file, const std::string& project);

  const std::string& file() const { return document_.file(); }
  const std::string& project() const { return project_; }

  std::string secrets_provider() const { return Setting("secretsprovider"); }
  std::string encrypted_key() const { return Setting("encryptedkey"); }  // base64, of a key service
  std::string encryption_salt() const { return Setting("encryptionsalt"); }
  // "" removes the setting. Of two first salts or keys that are saved side by side the first stays: ask again after
  // saving.
  void set_secrets_provider(const std::string& value) { Set("secretsprovider", value); }
  void set_encrypted_key(const std::string& value) { Set("encryptedkey", value); }
  void set_encryption_salt(const std::string& value) { Set("encryptionsalt", value); }

  const ConfigMap& config() const { return config_; }
  void set_config(ConfigMap config);
  bool HasSecrets() const;
  // Keys without a value in the file. They count as "", which is worth a warning.
  const std::vector<std::string>& empty_keys() const { return empty_keys_; }
  // Numbers that programs get otherwise than the file has them, as 0x1F.
  const std::vector<ChangedNumber>& changed_numbers() const { return document_.changed_numbers(); }

  // `key` as the user wrote it: PROJECT:NAME or NAME.
  Result<std::optional<nlohmann::json>> Get(const std::string& key, bool path) const;
  // A text, which --path turns into a number or boolean if it reads as one.
  Status SetText(const std::string& key, const std::string& text, bool path);
  Status SetSecret(const std::string& key, const std::string& ciphertext, bool path);
  Status SetJson(const std::string& key, const nlohmann::json& value, bool path);
  Status Remove(const std::string& key, bool path);

  Result<std::map<std::string, ConfigValue>> DecryptAll(SecretsManager* manager) const {
    return DecryptConfig(config_, manager);
  }

  // The text of the file with the keys of project `from` as those of `to`: where a stack goes, its settings go, too.
  std::string TextInProject(const std::string& from, const std::string& to) const;

  std::string Text() const;  // of the file, were it saved now
  // Durable; writes nothing if nothing changed. kAborted if another process has changed the key of its secrets since it
  // was loaded.
  Status Save();

 private:
  using Edit = std::function<Status(StackConfig*)>;

  std::string Setting(const std::string& name) const;
  void Set(const std::string& name, const std::string& value);
  Status Read();
  Status Make(Edit edit);
  Status CheckSecretsKey(const StackConfig& now) const;

  std::string project_;
  YamlDocument document_;
  ConfigMap config_;                              // by full key
  std::map<std::string, std::string> spellings_;  // full key: the key in the file
  std::map<std::string, std::string> settings_;
  std::vector<std::string> empty_keys_;
  std::vector<Edit> edits_;  // since it was loaded
  std::string loaded_salt_, loaded_key_;
  ConfigMap loaded_config_;
};

}  // namespace kingpost
