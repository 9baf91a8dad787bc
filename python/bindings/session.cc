// SPDX-License-Identifier: Apache-2.0
#include "bindings/session.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/clock.h"
#include "journal/finish.h"
#include "journal/recover.h"
#include "plan/version_range.h"
#include "secrets/aes_gcm.h"

namespace kingpost::python {

namespace {

constexpr int kPassphraseBytes = 24;

bool InMemory(const std::string& url) { return url == "memory" || url.rfind("mem://", 0) == 0; }

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

std::shared_ptr<PassphraseSource> ChoosePassphrase(const SessionOptions& options) {
  if (options.passphrase) return FixedPassphrase(*options.passphrase);
  if (!InMemory(options.backend)) return EnvironmentPassphrase(false);
  static const auto& made_up = *new std::string(RandomBytes(kPassphraseBytes));
  return FixedPassphrase(made_up);
}

SealOptions SealNow(const std::string& word) {
  SealOptions seal;
  seal.now_rfc3339 = NowRfc3339();
  seal.version = std::string("v") + plan::kPulumiVersion;
  seal.command = "kingpost (Python) " + word;
  return seal;
}

}  // namespace

Session::Session(StackName name, std::shared_ptr<StateStore> store, std::shared_ptr<PassphraseSource> passphrase)
    : name_(std::move(name)), store_(std::move(store)), passphrase_(std::move(passphrase)), cache_(NewSecretCache()) {}

Result<std::shared_ptr<Session>> Session::Open(SessionOptions options) {
  if (const Status valid = ValidateProjectName(options.project); !valid.ok()) return valid;
  if (const Status valid = ValidateStackName(options.stack); !valid.ok()) return valid;
  StackName name;
  name.organization = options.organization;
  name.project = options.project;
  name.name = options.stack;
  Result<std::shared_ptr<StateStore>> store = OpenShared(options.backend);
  if (!store.ok()) return store.status();
  return std::shared_ptr<Session>(new Session(std::move(name), std::move(*store), ChoosePassphrase(options)));
}

Status Session::Recover(StackLock& lock) {
  return lock.WhileHeld([this] { return kingpost::Recover(*store_, name_, SealNow("recovery")).status(); });
}

EncodeOptions Session::EncodingWith(SecretsManager& secrets) const {
  EncodeOptions options;
  options.secrets = &secrets;
  options.cache = cache_.get();
  return options;
}

// The manager that the document names, kept from one operation to the next, or a new one for a new stack. Whoever comes
// second while a key is being derived waits for that one.
Result<std::shared_ptr<SecretsManager>> Session::ChooseSecrets(const std::string& document) {
  SecretsProviderRef provider;
  if (!document.empty()) {
    Result<SecretsProviderRef> named = PeekSecretsProvider(document);
    if (!named.ok()) return named.status();
    provider = std::move(*named);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (provider.type.empty()) {
    if (secrets_) return secrets_;
    Result<std::shared_ptr<SecretsManager>> made = NewPassphraseManager(passphrase_);
    if (!made.ok()) return made.status();
    (*made)->StartDerivation();
    secrets_ = *made;
    return made;
  }
  if (secrets_ && secrets_->type() == provider.type && secrets_->state() == provider.state_json) return secrets_;
  Result<std::shared_ptr<SecretsManager>> opened =
      OpenSecretsManager(provider.type, provider.state_json, passphrase_, name_.name);
  if (!opened.ok()) return opened.status();
  if (const Status right = (*opened)->Verify(); !right.ok()) return right;
  secrets_ = *opened;
  return opened;
}

Result<Snapshot> Session::Decode(const std::string& document, SecretsManager& secrets) {
  if (document.empty()) return Snapshot();
  DecodeOptions decode;
  decode.secrets = &secrets;
  decode.cache = cache_.get();
  Result<CheckpointDocument> checkpoint = DecodeCheckpoint(document, decode);
  if (!checkpoint.ok()) return checkpoint.status();
  const std::string state = "the state of stack '" + name_.name + "'";
  if (!checkpoint->snapshot.integrity_error_json.empty()) {
    return Status(Code::kFailedPrecondition,
                  state + " failed an integrity check when it was written; run 'kingpost state repair'");
  }
  if (const Status integrity = VerifyIntegrity(checkpoint->snapshot); !integrity.ok()) {
    return integrity.Wrap(state + " is not in order (run 'kingpost state repair')");
  }
  return std::move(checkpoint->snapshot);
}

// For those who change nothing: what a crash left is worked out in memory. Of an operation that runs, what was saved
// before it is what there is to read.
Result<StackDocument> Session::Read() {
  const Result<std::vector<LockHolder>> holders = store_->Locks(name_);
  const bool held =
      holders.ok() && std::any_of(holders->begin(), holders->end(), [](const auto& h) { return !h.gone; });
  if (held) return store_->Load(name_);
  Result<Leftover> leftover = PeekLeftover(*store_, name_, SealNow("preview"));
  if (!leftover.ok()) return leftover.status();
  return std::move(leftover->document);
}

Result<Session::Base> Session::Begin(bool preview) {
  Base base;
  if (!preview) {
    Result<std::unique_ptr<StackLock>> lock = store_->Lock(name_);
    if (!lock.ok()) return lock.status();
    if (const Status recovered = Recover(**lock); !recovered.ok()) return recovered;
    base.lock = std::move(*lock);
  }
  Result<StackDocument> document = preview ? Read() : store_->Load(name_);
  if (!document.ok()) return document.status();
  base.document = std::move(document->bytes);
  Result<std::shared_ptr<SecretsManager>> secrets = ChooseSecrets(base.document);
  if (!secrets.ok()) return secrets.status();
  base.secrets = std::move(*secrets);
  Result<Snapshot> snapshot = Decode(base.document, *base.secrets);
  if (!snapshot.ok()) return snapshot.status();
  snapshot->secrets_type = base.secrets->type();
  snapshot->secrets_state_json = base.secrets->state();
  base.snapshot = std::make_shared<const Snapshot>(std::move(*snapshot));
  return base;
}

Result<std::unique_ptr<Journal>> Session::OpenJournal(const Base& base, const std::string& word) {
  const Result<std::string> path = store_->JournalPath(name_);
  if (!path.ok()) return path.status();
  JournalHeader header;
  header.stack = store_->QualifiedName(name_);
  header.base_hash = CheckpointHash(base.document);
  header.operation = word;
  Result<std::unique_ptr<Journal>> journal = Journal::Create(*path, header, EncodingWith(*base.secrets));
  if (journal.ok()) (*journal)->set_proof([&lock = *base.lock] { return lock.StillHeld(); });
  return journal;
}

Status Session::Finish(const Base& base, const std::string& word, std::optional<Snapshot> snapshot, Journal& journal) {
  if (!snapshot) return journal.Remove();
  snapshot->secrets_type = base.secrets->type();
  snapshot->secrets_state_json = base.secrets->state();
  FinishOptions options;
  options.seal = SealNow(word);
  options.encode = EncodingWith(*base.secrets);
  const FinishResult finished = FinishOperation(*base.lock, journal, *store_, name_, std::move(*snapshot), options);
  if (finished.unsaved.empty()) return finished.status;
  return finished.status.Wrap("could not save the state; the journal is kept, and the next operation recovers it");
}

void Session::Remember(const std::string& history_record) {
  // A history that cannot be written fails no operation.
  (void)store_->AppendHistory(name_, history_record);
}

nlohmann::json Session::LastConfig() {
  const Result<std::vector<std::string>> history = store_->ReadHistory(name_, 1, 1);
  if (!history.ok() || history->empty()) return nlohmann::json::object();
  const nlohmann::json record = nlohmann::json::parse(history->front(), nullptr, false);
  const bool known = record.is_object() && record.contains("config") && record["config"].is_object();
  return known ? record["config"] : nlohmann::json::object();
}

Result<std::shared_ptr<const Snapshot>> Session::LoadOther(const std::string& name) {
  const Result<StackName> stack = StackName::Parse(name, name_.project);
  if (!stack.ok()) return stack.status();
  const Result<StackDocument> document = store_->Load(*stack);
  if (!document.ok()) return document.status();
  if (!document->exists) return Status(Code::kNotFound, "unknown stack \"" + name + "\"");
  Session other(*stack, store_, passphrase_);
  const Result<std::shared_ptr<SecretsManager>> secrets = other.ChooseSecrets(document->bytes);
  if (!secrets.ok()) return secrets.status();
  Result<Snapshot> snapshot = other.Decode(document->bytes, **secrets);
  if (!snapshot.ok()) return snapshot.status();
  return std::make_shared<const Snapshot>(std::move(*snapshot));
}

Result<std::string> Session::Export() {
  Result<Base> base = Begin(true);
  if (!base.ok()) return base.status();
  return EncodeExport(*base->snapshot, EncodingWith(*base->secrets));
}

}  // namespace kingpost::python
