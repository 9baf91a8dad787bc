// SPDX-License-Identifier: Apache-2.0
#include "cli/stack_access.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/clock.h"
#include "cli/exit_code.h"
#include "journal/recover.h"
#include "model/lenient_reader.h"
#include "plan/version_range.h"
#include "store/durable_file.h"

namespace kingpost {

namespace {

// A file that is there and empty lost what was in it; it is no new stack.
Result<std::string> Contents(StackDocument document) {
  if (document.exists && document.bytes.empty()) {
    return Status(Code::kDataLoss, document.location +
                                       " is empty; an older copy is beside it (.bak), more are in the "
                                       "backups folder of the backend");
  }
  return std::move(document.bytes);
}

}  // namespace

SealOptions SealNow() {
  SealOptions options;
  options.now_rfc3339 = NowRfc3339();
  options.version = CompatibleVersion();
  options.command = CommandLineText();
  return options;
}

std::string CommandLineText() { return "kingpost"; }

std::string CompatibleVersion() { return std::string("v") + plan::kPulumiVersion; }

std::string ApiTime(int64_t unix_ms) {
  const time_t seconds = unix_ms / 1000;
  tm utc{};
  ::gmtime_r(&seconds, &utc);
  char text[64];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text + length, sizeof text - length, ".%03dZ", static_cast<int>(unix_ms % 1000));
  return text;
}

Result<std::unique_ptr<HeldStack>> HeldStack::Open(Session& session, const StackName& name,
                                                   const HoldOptions& options) {
  Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  std::unique_ptr<HeldStack> held(new HeldStack(session, **store, name));
  const Status taken = held->Take(options);
  if (!taken.ok()) return taken;
  return held;
}

Status HeldStack::Take(const HoldOptions& options) {
  const SavingSignals signals(SavingSignals::After::kEnd);
  Result<std::unique_ptr<StackLock>> lock = store_.Lock(name_);
  if (!lock.ok()) return lock.status();
  lock_ = std::move(*lock);
  for (const std::string& notice : lock_->notices()) session_.Note(notice);
  if (const Status recovered = RecoverJournal(options); !recovered.ok()) return recovered;

  Result<StackDocument> document = store_.Load(name_);
  Result<std::string> contents = document.ok() ? Contents(std::move(*document)) : document.status();
  damage_ = contents.status();
  if (!contents.ok()) return options.in_any_condition ? Status::Ok() : contents.status();
  document_ = std::move(*contents);
  return Status::Ok();
}

HeldStack::~HeldStack() {
  if (lock_) (void)Release();
}

Status HeldStack::Release() {
  const SavingSignals signals(SavingSignals::After::kGoOn);
  if (!lock_) return Status::Ok();
  const Status released = lock_->Release();
  lock_.reset();
  return released;
}

Status HeldStack::RecoverJournal(const HoldOptions& options) {
  RecoverOptions recover{SealNow(), session_.globals().disable_integrity_checking, options.repair};
  Result<RecoveryReport> report{RecoveryReport()};
  const Status done = lock_->WhileHeld([&] {
    report = Recover(store_, name_, recover);
    return report.status();
  });
  if (!done.ok() && (!options.in_any_condition || !lock_->StillHeld().ok())) return done;
  if (!done.ok()) {
    const Result<std::string> kept = SetJournalAside(store_, name_);
    if (!kept.ok()) return kept.status();
    session_.Warn(done.message());
    session_.Warn("the journal was put aside; it is " + *kept);
    return Status::Ok();
  }
  repaired_ = report->repaired;
  for (const std::string& line : report->Lines()) session_.Note(line);
  return Status::Ok();
}

Status HeldStack::Save(Snapshot snapshot, const EncodeOptions& options, bool force) {
  const Status integrity = VerifyIntegrity(snapshot);
  if (!integrity.ok() && !session_.globals().disable_integrity_checking) {
    if (!force) return integrity.Wrap("state file contains errors");
    session_.Warn("state file contains errors: " + integrity.message());
  }
  // A mark of an earlier failure goes away with the failure.
  if (integrity.ok()) snapshot.integrity_error_json.clear();
  snapshot.manifest = Manifest();
  (void)SealSnapshot(SealNow(), &snapshot);

  CheckpointDocument checkpoint;
  checkpoint.stack = store_.QualifiedName(name_);
  checkpoint.has_latest = true;
  checkpoint.snapshot = std::move(snapshot);
  Result<std::string> bytes = EncodeCheckpoint(checkpoint, options);
  if (!bytes.ok()) return bytes.status();
  const SavingSignals signals(SavingSignals::After::kGoOn);
  return lock_->WhileHeld([&] { return store_.Save(name_, *bytes); });
}

Result<std::string> ReadCheckpoint(Session& session, const StackName& name) {
  Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  const Result<bool> interrupted = HasLeftover(**store, name);
  const Result<std::vector<LockHolder>> holders = (*store)->Locks(name);
  // Of an operation that runs, what was saved before it is what there is to read.
  const bool held =
      holders.ok() && std::any_of(holders->begin(), holders->end(), [](const auto& h) { return !h.gone; });
  if (!interrupted.ok() || !*interrupted || held) {
    Result<StackDocument> document = (*store)->Load(name);
    if (!document.ok()) return document.status();
    return Contents(std::move(*document));
  }
  Result<Leftover> leftover = PeekLeftover(**store, name, SealNow());
  if (!leftover.ok()) return leftover.status();
  for (const std::string& line : leftover->report.Lines()) session.Note(line);
  session.Note("none of this is saved yet; the next command that changes the stack does it");
  return Contents(std::move(leftover->document));
}

Result<CheckpointDocument> DecodeStack(Session& session, const StackName& name, const std::string& document,
                                       const DecodeOptions& options) {
  Result<CheckpointDocument> checkpoint = DecodeCheckpoint(document, options);
  if (checkpoint.ok()) return checkpoint;
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  const Result<StackDocument> stored = (*store)->Load(name);
  const std::string where = stored.ok() ? stored->location : name.str();
  // A state that is only sealed under another passphrase is in order.
  const bool sealed = checkpoint.status().code() == Code::kUnauthenticated;
  const bool mendable = !sealed && DecodeCheckpointLeniently(document).ok();
  return checkpoint.status().Wrap("could not read the state " + where +
                                  (mendable ? " (run 'kingpost state repair')" : ""));
}

Result<std::shared_ptr<SecretsManager>> SecretsOfDocument(Session& session, const StackName& name,
                                                          const std::string& document) {
  if (document.empty()) return std::shared_ptr<SecretsManager>();
  const Result<SecretsProviderRef> provider = PeekSecretsProvider(document);
  if (!provider.ok()) {
    // Damage is reported by whoever needs all of it, with its place.
    const Result<CheckpointDocument> damaged = DecodeStack(session, name, document, DecodeOptions());
    return damaged.ok() ? provider.status() : damaged.status();
  }
  if (provider->type.empty()) return std::shared_ptr<SecretsManager>();
  return OpenSecretsManager(provider->type, provider->state_json, session.passphrase(), name.name);
}

Result<Snapshot> ReadSnapshot(Session& session, const StackName& name, bool show_secrets) {
  const Result<std::string> document = ReadCheckpoint(session, name);
  if (!document.ok()) return document.status();
  if (document->empty()) return Snapshot();
  Result<std::shared_ptr<SecretsManager>> secrets{std::shared_ptr<SecretsManager>()};
  if (show_secrets) secrets = SecretsOfDocument(session, name, *document);
  if (!secrets.ok()) return secrets.status();
  DecodeOptions decode;
  decode.secrets = secrets->get();
  Result<CheckpointDocument> checkpoint = DecodeStack(session, name, *document, decode);
  if (!checkpoint.ok()) return checkpoint.status();
  return std::move(checkpoint->snapshot);
}

Result<std::shared_ptr<SecretsManager>> SecretsOfStack(Session& session, const StackName& name,
                                                       const std::string& document, const std::string& config_file) {
  Result<StackConfig> config = session.LoadConfig(name, config_file, /*may_be_missing=*/true);
  if (!config.ok()) return config.status();
  const std::string provider = config->secrets_provider();
  if (!provider.empty() && provider != "default" && provider != "passphrase") {
    return OpenSecretsManager("cloud", "{}", session.passphrase(), name.name);
  }
  if (!config->encryption_salt().empty()) {
    return OpenSecretsManager("passphrase", PassphraseState(config->encryption_salt()), session.passphrase(),
                              name.name);
  }

  // Not in the settings yet: what the checkpoint names, or a new one, is written there.
  Result<std::shared_ptr<SecretsManager>> manager = SecretsOfDocument(session, name, document);
  if (!manager.ok()) return manager;
  if (!*manager) {
    manager = NewPassphraseManager(session.passphrase());
    if (!manager.ok()) return manager;
  }
  const std::string salt = EncryptionSalt(**manager);
  if (salt.empty()) return manager;
  config->set_encryption_salt(salt);
  if (const Status saved = config->Save(); !saved.ok()) return saved;
  if (config->encryption_salt() == salt) return manager;
  // Another command was first.
  return OpenSecretsManager("passphrase", PassphraseState(config->encryption_salt()), session.passphrase(), name.name);
}

}  // namespace kingpost
