// SPDX-License-Identifier: Apache-2.0
// Everything an operation starts from, loaded and decrypted.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/display/masking.h"
#include "cli/operation_flags.h"
#include "cli/session.h"
#include "cli/stack_access.h"
#include "kingpost/engine.h"
#include "model/deployment_json.h"

namespace kingpost {

struct OperationSetup {
  const Project* project = nullptr;
  std::shared_ptr<const Project> stand_in;  // what `project` is outside of one: the name that the stack tells
  StateStore* store = nullptr;
  StackName stack;
  std::unique_ptr<HeldStack> held;  // null for previews, which change nothing
  std::string document;             // the checkpoint as stored
  std::shared_ptr<SecretsManager> secrets;
  std::shared_ptr<SecretCache> cache;
  std::shared_ptr<const Snapshot> base;
  ConfigMap raw_config;                       // with ciphertexts, for the history
  std::map<std::string, ConfigValue> config;  // decrypted
  std::shared_ptr<const Masking> masking;
  OperationOptions options;  // preview is set per run
  int64_t start_seconds = 0;

  DecodeOptions decoding() const;
  EncodeOptions encoding() const;
};

Result<OperationSetup> SetUpOperation(Session& session, const OperationFlags& flags);

// What may be shown in a run with this configuration, decrypted.
std::shared_ptr<const Masking> MakeMasking(const std::map<std::string, ConfigValue>& config, bool show_secrets);

}  // namespace kingpost
