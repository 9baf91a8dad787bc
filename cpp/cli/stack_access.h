// SPDX-License-Identifier: Apache-2.0
// Reading and changing the document of a stack from the command line: lock, recovery, secrets, saving.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/session.h"
#include "cli/signals.h"
#include "journal/seal.h"
#include "kingpost/state_store.h"
#include "model/deployment_json.h"

namespace kingpost {

struct HoldOptions {
  // What is wrong with the journal or the checkpoint does not matter: a journal that cannot be recovered is put aside,
  // and a checkpoint that cannot be read counts as none. For those who do away with both (--force).
  bool in_any_condition = false;
  // Tried on what a journal comes to if that is not in order. May be null.
  std::function<Status(Snapshot*)> repair;
};

// A stack that nobody else changes while this object lives. What a crash left behind has been recovered, and the user
// has been told. A signal releases it and ends the command, unless something is being written.
class HeldStack {
 public:
  static Result<std::unique_ptr<HeldStack>> Open(Session& session, const StackName& name,
                                                 const HoldOptions& options = HoldOptions());
  ~HeldStack();

  const StackName& name() const { return name_; }
  const std::string& document() const { return document_; }  // the checkpoint as it is stored
  StateStore& store() { return store_; }
  StackLock& lock() { return *lock_; }
  bool repaired() const { return repaired_; }  // by HoldOptions::repair
  // Why there is no document, with `in_any_condition`.
  const Status& damage() const { return damage_; }

  // Seals, checks and saves. An integrity error refuses the change unless `force` or checks are off.
  Status Save(Snapshot snapshot, const EncodeOptions& options, bool force = false);
  Status Release();

 private:
  HeldStack(Session& session, StateStore& store, StackName name)
      : session_(session), store_(store), name_(name), signals_([this] {
          if (lock_) (void)lock_->Release();
        }) {}
  Status Take(const HoldOptions& options);
  Status RecoverJournal(const HoldOptions& options);

  Session& session_;
  StateStore& store_;
  const StackName name_;
  std::unique_ptr<StackLock> lock_;
  std::string document_;
  Status damage_;
  bool repaired_ = false;
  const HoldingSignals signals_;
};

// The checkpoint without holding the stack, for those who only read. If a crash left a journal, what it comes to is
// worked out in memory and the user is told; nothing is written.
Result<std::string> ReadCheckpoint(Session& session, const StackName& name);

// Decodes what either of the above gave. Errors name the file and where older copies are.
Result<CheckpointDocument> DecodeStack(Session& session, const StackName& name, const std::string& document,
                                       const DecodeOptions& options);

// What ReadCheckpoint gives, decoded; no resources if the stack has never been deployed. Secrets stay sealed unless
// they are to be shown, for which the passphrase is needed.
Result<Snapshot> ReadSnapshot(Session& session, const StackName& name, bool show_secrets = false);

// Who encrypts for this stack: as its settings say, else as its checkpoint says, else a new passphrase manager, whose
// salt is then written to the settings.
Result<std::shared_ptr<SecretsManager>> SecretsOfStack(Session& session, const StackName& name,
                                                       const std::string& document,
                                                       const std::string& config_file = "");
// Who encrypted what is in a document; null if nobody.
Result<std::shared_ptr<SecretsManager>> SecretsOfDocument(Session& session, const StackName& name,
                                                          const std::string& document);

SealOptions SealNow();          // for what is saved now
std::string CommandLineText();  // "kingpost", for records
// "2026-11-21T01:39:29.000Z" of Unix milliseconds, as the Automation API parses times.
std::string ApiTime(int64_t unix_ms);
// What checkpoints and `version` call this program, a version of the protocol it is compatible with.
std::string CompatibleVersion();  // "v3.260.0"

}  // namespace kingpost
