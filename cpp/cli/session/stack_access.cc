// SPDX-License-Identifier: Apache-2.0
#include "cli/session/stack_access.h"

#include <cstdio>
#include <ctime>

#include "base/command_name.h"
#include "cli/session/exit_code.h"
#include "operation/settings_secrets.h"

namespace kingpost {

std::string ApiTime(int64_t unix_ms) {
  const time_t seconds = unix_ms / 1000;
  tm utc{};
  ::gmtime_r(&seconds, &utc);
  char text[64];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text + length, sizeof text - length, ".%03dZ", static_cast<int>(unix_ms % 1000));
  return text;
}

Result<StackContext> ContextOf(Session& session, const StackName& name) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  StackContext context;
  context.store = *store;
  context.name = name;
  context.passphrase = session.passphrase();
  context.caller = &session.caller();
  context.known = true;
  context.accept_broken = session.globals().disable_integrity_checking;
  context.broken_remedy = "run " + QuotedCommand("state repair") + ", or pass --disable-integrity-checking";
  return context;
}

Result<std::unique_ptr<HeldStack>> HoldStack(Session& session, const StackName& name, const HoldOptions& options) {
  Result<StackContext> context = ContextOf(session, name);
  if (!context.ok()) return context.status();
  Result<std::unique_ptr<HeldStack>> held = HeldStack::Open(std::move(*context), options);
  return held.ok() ? std::move(held) : WithExitCode(held.status());
}

Status WithExitCode(const Status& status) {
  return status.detail<StackGone>() ? Fail(ExitCode::kNoStack, status.message(), status.code()) : status;
}

Result<std::string> ReadCheckpoint(Session& session, const StackName& name) {
  const Result<StackContext> context = ContextOf(session, name);
  if (!context.ok()) return context.status();
  return ReadCheckpoint(*context);
}

Result<CheckpointDocument> DecodeStack(Session& session, const StackName& name, const std::string& document,
                                       const DecodeOptions& options) {
  const Result<StackContext> context = ContextOf(session, name);
  if (!context.ok()) return context.status();
  return DecodeStack(*context, document, options);
}

Result<std::shared_ptr<SecretsManager>> SecretsOfDocument(Session& session, const StackName& name,
                                                          const std::string& document) {
  const Result<StackContext> context = ContextOf(session, name);
  if (!context.ok()) return context.status();
  return SecretsOfDocument(*context, document);
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
  const Result<std::shared_ptr<SecretsManager>> named = SecretsOfSettings(&*config, session.passphrase(), name.name);
  if (!named.ok() || *named) return named;

  // Not in the settings yet: what the checkpoint names, or a new one, is written there.
  Result<std::shared_ptr<SecretsManager>> manager = SecretsOfDocument(session, name, document);
  if (!manager.ok()) return manager;
  if (!*manager) {
    manager = NewPassphraseManager(session.passphrase());
    if (!manager.ok()) return manager;
  }
  const std::string salt = EncryptionSalt(**manager);
  if (salt.empty() && (*manager)->type() != "cloud") return manager;
  SetConfigSecretsManager(**manager, &*config);
  if (const Status saved = config->Save(); !saved.ok()) return saved;
  if (config->encryption_salt() == salt) return manager;
  // Another command was first.
  return OpenSecretsManager("passphrase", PassphraseState(config->encryption_salt()), session.passphrase(), name.name);
}

PropertyMap OutputsOfStack(const Snapshot& snapshot) {
  for (const StatePtr& state : snapshot.resources) {
    if (state->type == kRootStackType && !state->pending_delete) return state->outputs;
  }
  return PropertyMap();
}

}  // namespace kingpost
