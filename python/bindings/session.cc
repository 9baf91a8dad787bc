// SPDX-License-Identifier: Apache-2.0
#include "bindings/session.h"

#include <map>

#include "kingpost/create_outcome.h"
#include "operation/fleet/recorded_references.h"
#include "operation/history_record.h"
#include "operation/settings_secrets.h"
#include "operation/stack_document.h"
#include "operation/stack_import.h"
#include "operation/stack_rename.h"

namespace kingpost::python {

namespace {

// Details of failures, for KindOfFailure.
struct UnknownStack {};
struct DamagedState {};

// "memory" is a store of its own; stacks that name the same mem://NAME share one.
Result<std::shared_ptr<StateStore>> OpenShared(const std::string& url) {
  static std::mutex mutex;
  static auto& named = *new std::map<std::string, std::shared_ptr<StateStore>>();
  if (!InMemory(url) || url == "memory" || url == "mem://") {
    Result<std::unique_ptr<StateStore>> store = OpenStore(url);
    if (!store.ok()) return store.status();
    return std::shared_ptr<StateStore>(std::move(*store));
  }
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<StateStore>& store = named[url];
  if (!store) store = NewMemoryStore();
  return store;
}

}  // namespace

Status Damaged(Status status) {
  if (status.code() != Code::kUnauthenticated) status.With(DamagedState());
  return status;
}

bool InMemory(const std::string& url) { return url == "memory" || url.rfind("mem://", 0) == 0; }

Result<std::shared_ptr<Session>> Session::Open(const SessionOptions& options) {
  if (const Status valid = ValidateProjectName(options.project); !valid.ok()) return valid;
  if (const Status valid = ValidateStackName(options.stack); !valid.ok()) return valid;
  if (const Status known = CheckProviderName(options.secrets_provider); !known.ok()) return known;
  StackName name;
  name.organization = options.organization;
  name.project = options.project;
  name.name = options.stack;
  Result<std::shared_ptr<StateStore>> store = options.store ? options.store : OpenShared(options.backend);
  if (!store.ok()) return store.status();
  return std::shared_ptr<Session>(new Session(std::move(name), std::move(*store), options));
}

StackContext Session::ContextFor(OperationCaller& caller) {
  StackContext context;
  context.store = store_.get();
  context.name = name_;
  context.passphrase = passphrase();
  context.caller = &caller;
  context.program = "kingpost (Python)";
  return context;
}

Result<LoadedOperation> Session::Begin(bool preview, OperationCaller& caller, StackConfig* settings) {
  LoadedOperation loaded;
  loaded.context = ContextFor(caller);
  if (const Status taken = TakeStack(&loaded, !preview); !taken.ok()) return taken;
  Result<std::shared_ptr<SecretsManager>> secrets = ChooseSecrets(loaded.context, *loaded.document, settings);
  if (!secrets.ok()) return secrets.status();
  loaded.secrets = std::move(*secrets);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    loaded.cache = cache_;
  }
  if (const Status read = LoadBase(&loaded); !read.ok()) return Damaged(read);
  return loaded;
}

ConfigMap Session::LastConfig() {
  Result<ConfigMap> config = LastRecordedConfig(*store_, name_);
  return config.ok() ? std::move(*config) : ConfigMap();
}

Result<std::shared_ptr<const Snapshot>> Session::Recorded() {
  Listener listener(Unheard());
  Result<LoadedOperation> loaded = Begin(true, listener);
  if (!loaded.ok()) return loaded.status();
  return std::move(loaded->base);
}

Result<std::vector<StackName>> Session::References() {
  Listener listener(Unheard());
  LoadedOperation loaded;
  loaded.context = ContextFor(listener);
  if (const Status taken = TakeStack(&loaded, false); !taken.ok()) return taken;
  return fleet::RecordedReferences(*loaded.document, name_.project);
}

Result<std::string> Session::Export(bool show_secrets) {
  Listener listener(Unheard());
  const Result<LoadedOperation> loaded = Begin(true, listener);
  if (!loaded.ok()) return loaded.status();
  EncodeOptions options = loaded->encoding();
  options.show_secrets = show_secrets;
  return EncodeExport(*loaded->base, options);
}

Result<std::vector<std::string>> Session::Import(const std::string& text, bool force) {
  std::vector<std::string> warnings;
  Listener listener([&](const EngineEvent& event) {
    const auto* said = std::get_if<DiagnosticEvent>(&event);
    if (said && said->severity == Severity::kWarning) warnings.push_back(said->message);
  });
  const StackContext context = ContextFor(listener);
  StackImport whole;
  whole.text = text;
  whole.source = "the document";
  whole.force = force;
  whole.force_remedy = "pass force=True";
  whole.own_secrets = [&](const std::string& document) { return ChooseSecrets(context, document); };
  const Status imported = ImportStack(context, std::move(whole));
  if (!imported.ok()) return imported;
  return warnings;
}

Status Session::MustExist() const {
  const Result<bool> exists = store_->Exists(name_);
  if (!exists.ok()) return exists.status();
  if (*exists) return Status::Ok();
  return Status(Code::kNotFound, "no stack named '" + name_.name + "' of project '" + name_.project + "' found")
      .With(UnknownStack());
}

Result<std::vector<std::string>> Session::History(int page_size, int page) {
  return store_->ReadHistory(name_, page_size, page);
}

Result<int> Session::BreakLocks() {
  if (const Status known = MustExist(); !known.ok()) {
    const Result<std::vector<LockHolder>> holders = store_->Locks(name_);  // a first update has nothing else yet
    if (!holders.ok() || holders->empty()) return known;
  }
  return store_->BreakLocks(name_);
}

Status Session::Remove(bool force, bool remove_backups) {
  if (const Status known = MustExist(); !known.ok()) return known;
  Listener listener(Unheard());
  HoldOptions hold;
  hold.accept_damaged = force;
  StackContext context = ContextFor(listener);
  context.known = true;
  const Result<std::unique_ptr<HeldStack>> held = HeldStack::Open(context, hold);
  if (!held.ok()) return held.status();
  if (!force) {
    const Result<CheckpointDocument> checkpoint = DecodeStack(context, (*held)->document(), DecodeOptions());
    if (!checkpoint.ok()) return Damaged(checkpoint.status());
    const size_t left = checkpoint->snapshot.resources.size() + checkpoint->snapshot.pending_operations.size();
    if (left > 0) {
      return Status(Code::kFailedPrecondition, "stack '" + name_.name + "' still has " + std::to_string(left) +
                                                   " resources; destroy them first, or pass force=True");
    }
  }
  const Status removed = (*held)->lock().WhileHeld([&] { return store_->Remove(name_, remove_backups); });
  return removed.ok() ? (*held)->Release() : removed;
}

Status Session::Rename(const std::string& new_name) {
  if (const Status valid = ValidateStackName(new_name); !valid.ok()) return valid;
  if (const Status known = MustExist(); !known.ok()) return known;
  StackName to = name_;
  to.name = new_name;
  Listener listener(Unheard());
  StackContext context = ContextFor(listener);
  context.known = true;
  Result<std::unique_ptr<HeldStack>> held = HeldStack::Open(context);
  if (!held.ok()) return held.status();
  Result<CheckpointDocument> checkpoint = DecodeStack(context, (*held)->document(), DecodeOptions());
  if (!checkpoint.ok()) return Damaged(checkpoint.status());
  return RenameHeldStack(**held, std::move(*checkpoint), to, [&] {
    name_ = to;
    return Status::Ok();
  });
}

void Listener::Tell(Severity severity, const std::string& text) {
  DiagnosticEvent event;
  event.severity = severity;
  event.message = text;
  hear_(event);
}

const char* KindOfFailure(const Status& status) {
  if (status.detail<UnknownStack>() || status.detail<StackGone>()) return "unknown-stack";
  if (status.code() == Code::kUnauthenticated) return "passphrase";
  if (status.code() == Code::kDataLoss || status.detail<DamagedState>()) return "damaged";
  if (status.message().rfind("the stack is currently locked by ", 0) == 0) return "locked";
  if (status.detail<AwaitFailed>()) return "awaiting";
  return status.code() == Code::kCancelled ? "cancelled" : "";
}

}  // namespace kingpost::python
