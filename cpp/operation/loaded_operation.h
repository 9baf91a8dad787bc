// SPDX-License-Identifier: Apache-2.0
// Everything an operation starts from, loaded and decrypted. The caller fills this in from top to bottom.
//
//     TakeStack (document) ─▶ secrets, config, options: the caller's ─▶ LoadBase (base) ─▶ MakeOperation
//
// Blocking; one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kingpost/engine.h"
#include "operation/held_stack.h"
#include "workspace/config_value.h"

namespace kingpost {

struct LoadedOperation {
  StackContext context;
  std::unique_ptr<HeldStack> held;  // null for previews, which change nothing
  std::shared_ptr<const std::string> document = std::make_shared<const std::string>();  // the checkpoint as stored
  std::shared_ptr<SecretsManager> secrets;
  std::shared_ptr<SecretCache> cache;
  std::shared_ptr<const Snapshot> base;
  std::map<std::string, ConfigValue> config;  // decrypted
  std::string project_root;
  OperationOptions options;  // preview is set per run
  int64_t start_seconds = 0;
  bool interrupted = false;  // of a preview: a crash left a journal, which the next change of the stack takes over

  const StackName& stack() const { return context.name; }
  DecodeOptions decoding() const;
  EncodeOptions encoding() const;
};

// The document, and for operations that change the stack the lock.
Status TakeStack(LoadedOperation* loaded, bool changes_stack);

// The state in the document, which must be in order. Afterwards loaded->secrets encrypts its secrets, whichever
// manager did so before.
Status LoadBase(LoadedOperation* loaded);

// Switches of the engine that the environment sets.
void ReadEngineVariables(OperationOptions* options);

// For the engine. Without a host and its observers, which are the caller's, and without other stacks
// (other_stacks.h).
Operation MakeOperation(const LoadedOperation& loaded, bool preview);

}  // namespace kingpost
