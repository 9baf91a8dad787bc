// SPDX-License-Identifier: Apache-2.0
#include "operation/kept_reasons.h"

#include <chrono>

#include "kingpost/operation_word.h"

namespace kingpost {

namespace {

int64_t NowMs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// A stack that was renamed has another name in its URNs, and so has its root resource.
Urn NamedNow(const Urn& urn, const StackName& stack) {
  const std::string project = stack.project.empty() ? std::string(urn.project()) : stack.project;
  if (!urn.valid() || (urn.stack() == stack.name && urn.project() == project)) return urn;
  const Urn renamed = urn.RenameStack(stack.name).RenameProject(project);
  return urn.type() == kRootStackType ? renamed.Rename(project + "-" + stack.name) : renamed;
}

Result<std::optional<KeptReasons>> LoadReasons(StateStore& store, const StackName& stack, ReasonsKind of) {
  const Result<std::string> bytes = store.LoadReasons(stack, of);
  if (!bytes.ok()) return bytes.status();
  if (bytes->empty()) return std::optional<KeptReasons>();
  Result<KeptReasons> kept = DecodeReasons(*bytes, [&stack](const Urn& urn) { return NamedNow(urn, stack); });
  if (!kept.ok()) return kept.status();
  return std::optional<KeptReasons>(std::move(*kept));
}

}  // namespace

Status KeepReasons(const LoadedOperation& loaded, const OperationResult& result, const ReasonLog& log, bool preview) {
  if (log.empty()) return Status::Ok();
  StateStore& store = *loaded.context.store;
  const Result<bool> exists = store.Exists(loaded.stack());  // Python previews stacks that were never saved
  if (!exists.ok() || !*exists) return exists.status();
  KeptReasons kept = log.Collected();
  kept.kind = OperationWord(loaded.options.kind);
  kept.preview = preview;
  kept.time_ms = NowMs();
  kept.succeeded = result.status.ok();
  kept.providers_asked = !loaded.options.legacy_diff;
  return store.SaveReasons(loaded.stack(), preview ? ReasonsKind::kPreview : ReasonsKind::kOperation,
                           EncodeReasons(kept));
}

Result<std::optional<KeptReasons>> LastReasons(StateStore& store, const StackName& stack) {
  Result<std::optional<KeptReasons>> operation = LoadReasons(store, stack, ReasonsKind::kOperation);
  if (!operation.ok()) return operation;
  Result<std::optional<KeptReasons>> preview = LoadReasons(store, stack, ReasonsKind::kPreview);
  if (!preview.ok() || !*operation) return preview;
  const bool is_preview = *preview && (*preview)->time_ms > (*operation)->time_ms;
  return is_preview ? preview : operation;
}

}  // namespace kingpost
