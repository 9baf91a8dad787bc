// SPDX-License-Identifier: Apache-2.0
// Everything an operation of the command starts from: what operation/loaded_operation.h says, by flags and settings.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/operations/operation_flags.h"
#include "cli/session/session.h"
#include "console/display/masking.h"
#include "operation/loaded_operation.h"

namespace kingpost {

struct SharedRun;  // operation_run.h

struct OperationSetup : LoadedOperation {
  const Project* project = nullptr;
  std::shared_ptr<const Project>
      synthesized_project;  // what `project` is outside of one: the name that the stack tells
  ConfigMap raw_config;     // with ciphertexts, for the history
  std::shared_ptr<const Masking> masking;
  const SharedRun* shared = nullptr;        // of an operation that is one of many
  bool key_is_unchecked = false;            // RunOnce checks it before anything but early processes runs
  std::map<Urn, std::string> import_names;  // what variables in the code of an import are to be called
};

// Data that an earlier operation on the same stack has loaded: reused where a new load would be the same. The
// document is read in any case, and compared.
struct PreloadedStack {
  std::shared_ptr<const std::string> document;
  std::shared_ptr<SecretsManager> secrets;  // with its key
  std::shared_ptr<SecretCache> cache;
  std::shared_ptr<const Snapshot> base;
};

// When the setup waits for the key. A preview leaves that to RunOnce, which starts providers meanwhile.
enum class KeyCheck { kNow, kInRun };

// `before` may be null; afterwards it holds what this one has loaded.
Result<OperationSetup> SetUpOperation(Session& session, const OperationFlags& flags, PreloadedStack* before = nullptr,
                                      KeyCheck key_check = KeyCheck::kNow);

// The masking of a run with this configuration, decrypted.
std::shared_ptr<const Masking> MakeMasking(const std::map<std::string, ConfigValue>& config, bool show_secrets);

}  // namespace kingpost
