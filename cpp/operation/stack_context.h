// SPDX-License-Identifier: Apache-2.0
// One stack, as this folder's functions get it, and the caller.
#pragma once

#include <memory>
#include <string>

#include "base/command_name.h"
#include "journal/seal.h"
#include "kingpost/secrets_manager.h"
#include "kingpost/state_store.h"
#include "operation/operation_caller.h"

namespace kingpost {

struct StackContext {
  StateStore* store = nullptr;  // the store and the caller outlive the context
  StackName name;
  std::shared_ptr<PassphraseSource> passphrase;
  OperationCaller* caller = nullptr;
  std::string program = "kingpost";  // who writes, for records
  // The stack was there when it was named. If it is not once it is held, another process has removed or renamed it.
  bool known = false;
  // Broken states are taken as they are.
  bool accept_broken = false;
  // How a user gets past a broken state, for messages.
  std::string broken_remedy = "run " + QuotedCommand("state repair");
};

SealOptions CurrentSealOptions(const std::string& command);  // for what is saved now

// The name of this program in checkpoints and `version`, a version of the protocol it is compatible with.
std::string CompatibleVersion();  // "v3.274.1"

}  // namespace kingpost
