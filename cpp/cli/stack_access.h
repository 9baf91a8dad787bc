// Reading and changing the document of a stack from the command line: lock, recovery, secrets, saving.
#pragma once

#include <memory>
#include <string>

#include "cli/session.h"
#include "kingpost/state_store.h"
#include "model/deployment_json.h"

namespace kingpost {

// A stack that nobody else changes while this object lives. What a crash left behind has been recovered, and the user
// has been told.
class HeldStack {
 public:
  static Result<std::unique_ptr<HeldStack>> Open(Session& session, const StackName& name);
  ~HeldStack();

  const StackName& name() const { return name_; }
  const std::string& document() const { return document_; }  // the checkpoint as it is stored
  StateStore& store() { return store_; }
  StackLock& lock() { return *lock_; }

  // Seals, checks and saves. An integrity error refuses the change unless `force` or checks are off.
  Status Save(Snapshot snapshot, const EncodeOptions& options, bool force = false);
  Status Release();

 private:
  HeldStack(Session& session, StateStore& store, StackName name) : session_(session), store_(store), name_(name) {}
  Status RecoverJournal();

  Session& session_;
  StateStore& store_;
  const StackName name_;
  std::unique_ptr<StackLock> lock_;
  std::string document_;
};

// The checkpoint without holding the stack; recovers first if a crash left a journal.
Result<std::string> ReadCheckpoint(Session& session, const StackName& name);

// Decodes what either of the above gave. Errors name the file and where older copies are.
Result<CheckpointDocument> DecodeStack(Session& session, const StackName& name, const std::string& document,
                                       const DecodeOptions& options);

// Who encrypts for this stack: as its settings say, else as its checkpoint says, else a new passphrase manager, whose
// salt is then written to the settings.
Result<std::shared_ptr<SecretsManager>> SecretsOfStack(Session& session, const StackName& name,
                                                       const std::string& document,
                                                       const std::string& config_file = "");
// Who encrypted what is in a document; null if nobody.
Result<std::shared_ptr<SecretsManager>> SecretsOfDocument(Session& session, const StackName& name,
                                                          const std::string& document);

std::string CommandLineText();  // "kingpost", for records
// "2026-11-21T01:39:29.000Z" of Unix milliseconds, as the Automation API parses times.
std::string ApiTime(int64_t unix_ms);
// What checkpoints and `version` call this program, a version of the protocol it is compatible with.
std::string CompatibleVersion();  // "v3.260.0"

}  // namespace kingpost
