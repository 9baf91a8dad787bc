// SPDX-License-Identifier: Apache-2.0
#include "operation/stack_document.h"

#include <algorithm>

#include "base/command_name.h"
#include "journal/recover.h"
#include "model/lenient_reader.h"

namespace kingpost {

namespace {

// While an operation runs, only the state from before it can be read.
bool IsHeld(const StackContext& context) {
  const Result<std::vector<LockHolder>> holders = context.store->Locks(context.name);
  return holders.ok() && std::any_of(holders->begin(), holders->end(), [](const auto& h) { return !h.gone; });
}

}  // namespace

Result<std::string> ContentsOf(StackDocument document) {
  if (document.exists && document.bytes.empty()) {
    return Status(Code::kDataLoss, document.location +
                                       " is empty; an older copy is beside it (.bak), more are in the "
                                       "backups folder of the backend");
  }
  return std::move(document.bytes);
}

Result<std::string> ReadCheckpoint(const StackContext& context, bool* interrupted) {
  const Result<bool> left = HasLeftover(*context.store, context.name);
  if (!left.ok() || !*left || IsHeld(context)) {
    Result<StackDocument> document = context.store->Load(context.name);
    if (!document.ok()) return document.status();
    return ContentsOf(std::move(*document));
  }
  Result<Leftover> leftover = PeekLeftover(*context.store, context.name, CurrentSealOptions(context.program));
  if (!leftover.ok()) return leftover.status();
  if (interrupted) *interrupted = true;
  for (const std::string& line : leftover->report.Lines()) context.caller->Note(line);
  context.caller->Note("none of this is saved yet; the next command that changes the stack does it");
  return ContentsOf(std::move(leftover->document));
}

Result<CheckpointDocument> DecodeStack(const StackContext& context, const std::string& document,
                                       const DecodeOptions& options) {
  DecodeOptions decode = options;
  decode.properties_as_text = true;
  Result<CheckpointDocument> checkpoint = DecodeCheckpoint(document, decode);
  if (checkpoint.ok()) return checkpoint;
  const Result<StackDocument> stored = context.store->Load(context.name);
  const std::string where = stored.ok() ? stored->location : context.name.str();
  // A state that is only sealed under another passphrase is in order.
  const bool sealed = checkpoint.status().code() == Code::kUnauthenticated;
  const bool mendable = !sealed && DecodeCheckpointLeniently(document).ok();
  return checkpoint.status().Wrap("could not read the state " + where +
                                  (mendable ? " (run " + QuotedCommand("state repair") + ")" : ""));
}

Result<SecretsProviderRef> SecretsProviderOf(const StackContext& context, const std::string& document) {
  if (document.empty()) return SecretsProviderRef();
  Result<SecretsProviderRef> provider = PeekSecretsProvider(document);
  if (provider.ok()) return provider;
  // Damage is reported with its place, by reading all of it.
  const Result<CheckpointDocument> damaged = DecodeStack(context, document, DecodeOptions());
  return damaged.ok() ? provider.status() : damaged.status();
}

Result<std::shared_ptr<SecretsManager>> SecretsOfDocument(const StackContext& context, const std::string& document) {
  const Result<SecretsProviderRef> provider = SecretsProviderOf(context, document);
  if (!provider.ok()) return provider.status();
  if (provider->type.empty()) return std::shared_ptr<SecretsManager>();
  return OpenSecretsManager(provider->type, provider->state_json, context.passphrase, context.name.name);
}

}  // namespace kingpost
