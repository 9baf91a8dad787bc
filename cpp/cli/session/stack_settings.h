// SPDX-License-Identifier: Apache-2.0
// The settings of a stack, opened for reading or for a change.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/session/session.h"
#include "workspace/stack_config.h"

namespace kingpost {

struct ConfigOptions {
  std::string stack, config_file, key, value, type, json_text, dest;
  std::vector<std::string> keys, plaintexts, secrets;
  bool json = false, show_secrets = false, path = false, plaintext = false, secret = false, raw = false, force = false;
};

struct StackSettings {
  StackName stack;
  StackConfig config;
};
Result<StackSettings> OpenStackSettings(Session& session, const ConfigOptions& options, bool may_be_missing = false);

// The secrets manager of the stack; creates one, and notes it in the settings, if there was none.
Result<std::shared_ptr<SecretsManager>> SettingsSecrets(Session& session, const ConfigOptions& options,
                                                        StackSettings* settings);

// Encrypts the value and sets it; `is_path` as --path has it. Nothing is saved.
Status SetSecret(Session& session, const ConfigOptions& options, StackSettings* settings, const std::string& key,
                 const std::string& value, bool is_path);

// "k" of "project:k".
std::string PrettyKey(const std::string& key, const std::string& project);

}  // namespace kingpost
