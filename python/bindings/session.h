// SPDX-License-Identifier: Apache-2.0
// A stack as the Python module keeps it between operations: its store, and who encrypts for it. One operation at a
// time; the store's lock sees to that. Previews and exports take no lock and may come at any time, on any thread.
// Blocking; never called with the GIL held.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings/library_store.h"
#include "kingpost/event.h"
#include "operation/loaded_operation.h"
#include "workspace/stack_config.h"

namespace kingpost::python {

struct SessionOptions {
  std::string project, stack, organization = kDiyOrganization;
  std::string backend = "memory";
  std::shared_ptr<StateStore> store;        // instead of one that `backend` names
  std::shared_ptr<StorePatience> patience;  // with `store`, if that is the user's code
  std::optional<std::string> passphrase;    // none: the environment's; in memory one made up for this process
  std::string secrets_provider;             // of a new stack; "": the passphrase, and whatever an old one has
};

// A message for the user becomes a diagnostic of the result. Signals are Python's: it cancels, and waits.
class Listener final : public OperationCaller {
 public:
  using Hear = std::function<void(const EngineEvent&)>;
  explicit Listener(Hear hear) : hear_(std::move(hear)) {}

  void Note(const std::string& text) override { Tell(Severity::kInfo, text); }
  void Warn(const std::string& text) override { Tell(Severity::kWarning, text); }
  Scope Saving(AfterSignal) override { return nullptr; }
  Scope Holding(std::function<void()>) override { return nullptr; }

 private:
  void Tell(Severity severity, const std::string& text);

  const Hear hear_;
};

// For what has no place for notes.
inline Listener::Hear Unheard() {
  return [](const EngineEvent&) {};
}

// The kind of the failure, where Python has a class for it: "locked", "passphrase", "damaged", "unknown-stack",
// "cancelled", or "".
const char* KindOfFailure(const Status& status);

// The notices from reading the record. A wrong passphrase is no damage.
Status Damaged(Status status);

// A backend that this process keeps.
bool InMemory(const std::string& url);

class Session {
 public:
  static Result<std::shared_ptr<Session>> Open(const SessionOptions& options);

  // The start of an operation, without its options and configuration. The caller outlives it. A new stack has the
  // secrets provider that its settings name, if it has some.
  Result<LoadedOperation> Begin(bool preview, OperationCaller& caller, StackConfig* settings = nullptr);
  // That of the last operation; empty if there was none.
  ConfigMap LastConfig();
  // The recorded state, decrypted.
  Result<std::shared_ptr<const Snapshot>> Recorded();
  // The stacks that the last run has read, without opening a secret; none of a stack that was never deployed.
  Result<std::vector<StackName>> References();
  Result<bool> Exists() const { return store_->Exists(name_); }
  // The state as `kingpost stack export` prints it.
  Result<std::string> Export(bool show_secrets);
  // The warnings.
  Result<std::vector<std::string>> Import(const std::string& text, bool force);
  // Records as JSON, newest first; page_size 0: all. The stack may be a new one.
  Result<std::vector<std::string>> History(int page_size, int page);
  // How many locks there were. For stacks whose holder has gone.
  Result<int> BreakLocks();
  // All of it, or without `force` only one without resources.
  Status Remove(bool force, bool remove_backups);
  Status Rename(const std::string& name);
  // Encrypts the recorded secrets anew, and those of the settings in a project's folder, if there is one ("": none).
  Status ChangeSecretsProvider(const std::string& provider, std::optional<std::string> passphrase,
                               const std::string& project_folder);

  const StackName& name() const { return name_; }
  std::shared_ptr<PassphraseSource> passphrase();
  StorePatience& patience() { return *patience_; }

 private:
  Session(StackName name, std::shared_ptr<StateStore> store, const SessionOptions& options);
  StackContext ContextFor(OperationCaller& caller);
  Result<std::shared_ptr<SecretsManager>> ChooseSecrets(const StackContext& context, const std::string& document,
                                                        StackConfig* settings = nullptr);
  Result<std::shared_ptr<SecretsManager>> SecretsOfNewStack(StackConfig* settings);
  Status MustExist() const;

  StackName name_;  // changed by Rename, beside which nothing else runs
  const std::shared_ptr<StateStore> store_;
  const std::shared_ptr<StorePatience> patience_;
  std::mutex mutex_;                              // guards what follows
  std::shared_ptr<PassphraseSource> passphrase_;  // these are changed by ChangeSecretsProvider
  bool late_key_ = false;                         // the store is this process's, where no one else asks who encrypts
  std::string secrets_provider_;
  std::shared_ptr<SecretCache> cache_;
  std::shared_ptr<SecretsManager> secrets_;  // of the last to begin
};

}  // namespace kingpost::python
