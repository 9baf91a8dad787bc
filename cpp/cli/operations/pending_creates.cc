// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/pending_creates.h"

#include <optional>

#include "base/command_name.h"
#include "console/display/terminal.h"
#include "console/prompt/ask.h"
#include "kingpost/create_outcome.h"

namespace kingpost {

namespace {

constexpr size_t kSkip = 0, kClear = 1, kImport = 2;

void AskAbout(Session& session, const Urn& urn, OperationOptions* options) {
  const std::vector<MenuItem> items = {{"skip", "decide later"},
                                       {"clear", "it was not created: forget the operation"},
                                       {"import", "it was created: record it with its ID"}};
  const std::string question =
      "An earlier run was interrupted while creating " + Printable(urn.str()) + ". What became of it?";
  const std::optional<size_t> chosen = Choose(session.painter(), question, items, kSkip);
  if (chosen == kClear) options->cleared_pending_creates.insert(urn);
  if (chosen != kImport) return;
  const std::optional<std::string> id = AskForLine(session.painter(), "ID:");
  if (id && !id->empty()) options->import_pending_creates.emplace(urn, *id);
}

}  // namespace

void AskAboutPendingCreates(Session& session, const OperationFlags& flags, const Snapshot& base,
                            OperationOptions* options) {
  const bool has_answer = flags.yes || flags.skip_pending_creates || flags.clear_pending_creates;
  if (flags.kind != OperationKind::kRefresh || flags.preview_only || has_answer || !session.interactive()) return;
  for (const PendingOperation& pending : base.pending_operations) {
    const Urn& urn = pending.resource->urn;
    const bool is_named = options->import_pending_creates.contains(urn);
    if (pending.type == OperationType::kCreating && !is_named) AskAbout(session, urn, options);
  }
}

void TellPendingCreates(Session& session, const OperationFlags& flags, const Snapshot& after) {
  if (flags.kind != OperationKind::kRefresh || flags.for_programs()) return;
  std::string names;
  for (const PendingOperation& pending : after.pending_operations) {
    if (pending.type == OperationType::kCreating) names += "\n  * " + Printable(pending.resource->urn.str());
  }
  if (names.empty()) return;
  session.Note("Still pending, because a create has no ID to read:" + names + "\nAdopt what exists with " +
               QuotedCommand(kAdoptCreate) + ", or clear what does not with " + QuotedCommand(kClearCreates) + ".");
}

}  // namespace kingpost
