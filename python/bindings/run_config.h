// SPDX-License-Identifier: Apache-2.0
// The configuration of a run: what Python gave, and what the settings of a project's folder say. Blocking.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "bindings/run.h"

namespace kingpost::python {

// As a settings file has it, secrets encrypted.
ConfigMap SealedConfig(const std::map<std::string, ConfigValue>& config, SecretsManager& secrets);

struct ProjectSettings {
  const Project& project;
  StackConfig& file;  // gets a data key, if it names a key service and has none yet
  const RunSettings& given;
  std::shared_ptr<PassphraseSource> passphrase;
};

// Pulumi.STACK.yaml, over it what Python gave, below it the project's own values and defaults; decrypted.
Result<std::map<std::string, ConfigValue>> ProjectConfig(const ProjectSettings& settings,
                                                         const LoadedOperation& loaded);

}  // namespace kingpost::python
