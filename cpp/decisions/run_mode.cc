// SPDX-License-Identifier: Apache-2.0
#include "decisions/run_mode.h"

#include <unordered_set>

#include "decisions/dependency_refs.h"
#include "decisions/keep.h"

namespace kingpost::decisions {

RunMode ModeOf(const OperationOptions& options) {
  if (!options.run_program) return RunMode::kUpdate;
  if (options.kind == OperationKind::kDestroy) return RunMode::kDestroy;
  return options.kind == OperationKind::kRefresh ? RunMode::kRefresh : RunMode::kUpdate;
}

RefreshTime RefreshTimeOf(const OperationOptions& options) {
  if (!options.refresh && options.kind != OperationKind::kRefresh) return RefreshTime::kNever;
  // A destroy with the program reads all that is recorded first.
  if (options.kind == OperationKind::kDestroy) return RefreshTime::kBeforeProgram;
  const bool inline_too = ModeOf(options) == RunMode::kRefresh || options.refresh_program;
  return inline_too ? RefreshTime::kAsRegistered : RefreshTime::kBeforeProgram;
}

Result<InlineRefresh> RefreshOf(const Goal& goal, const Urn& urn, const StatePtr& old_state, RefreshTime time,
                                const Rows& rows, const Selection& selection) {
  const bool wanted = old_state && (time == RefreshTime::kAsRegistered || rows.IsInDoubt(old_state));
  if (!wanted || !selection.IsIncluded(*old_state)) return InlineRefresh::kNone;
  KP_TRY(CheckMayChange(urn, rows));
  return goal.custom && !IsProviderType(goal.type) ? InlineRefresh::kRead : InlineRefresh::kAnnounced;
}

State RefreshedAsRegistered(const State& old_state, const State& draft, RunMode mode, bool waits_for_replacement) {
  const bool is_read = old_state.custom && !old_state.is_provider() && !waits_for_replacement;
  State next = is_read ? draft : old_state;
  next.urn = draft.urn;
  next.type = draft.type;
  next.parent = draft.parent;
  next.aliases = draft.aliases;
  next.id = old_state.id;
  next.inputs = old_state.inputs;
  next.outputs = old_state.outputs;
  if (mode == RunMode::kRefresh) return next;
  next.provider = old_state.provider;
  next.replacement_trigger = old_state.replacement_trigger;
  next.taint = old_state.taint;
  return next;
}

void CarryRefreshedFields(const State& found, State* draft) {
  draft->refresh_before_update = found.refresh_before_update;
  draft->modified = found.modified;
}

std::vector<StatePtr> NotRegistered(const Rows& rows, const Selection& selection) {
  Selection::Refresh of_refresh(selection);
  std::vector<StatePtr> wanted;
  std::unordered_set<Urn> seen;  // of states that share a name one is read
  for (const StatePtr& recorded : rows.base()) {
    if (recorded->is_view() || rows.IsOperatedOn(recorded->urn) || seen.count(recorded->urn) > 0) continue;
    if (!of_refresh.Takes(*recorded)) continue;
    seen.insert(recorded->urn);
    wanted.push_back(recorded);
  }
  return wanted;
}

std::optional<Decision> ChooseByMode(RunMode mode, const Goal& goal, const StatePtr& old_state, const State& draft,
                                     const Rows& rows) {
  if (mode == RunMode::kUpdate) return std::nullopt;
  const bool on_skipped = DependsOnAny(draft, [&rows](const Urn& urn) { return rows.IsSkipped(urn); });
  const bool plain_custom = goal.custom && !IsProviderType(goal.type);
  const ReasonPtr because = Because(Rule::kModeAnswers);
  if (mode == RunMode::kRefresh) {
    if (!plain_custom && !on_skipped) return std::nullopt;
    if (old_state) return Decision{way::AnswerRecorded(), because};
    return Decision{way::SkipCreate(), because};
  }
  if (on_skipped || (plain_custom && !old_state)) return Decision{way::SkipCreate(), because};
  if (!plain_custom) return std::nullopt;
  return Decision{way::Same(), because};
}

void ShapeByMode(const Decision& decision, const StatePtr& old_state, const Rows& rows, State* draft) {
  if (decision.is<way::SkipCreate>() && old_state) draft->outputs = old_state->outputs;
  if (!decision.is<way::Same>()) return;
  draft->inputs = old_state->inputs;
  draft->pending_replacement = rows.WaitsForReplacement(old_state);
}

bool IsDeletedAtEnd(RunMode mode, const std::optional<Decision>& by_mode) {
  return mode == RunMode::kDestroy && (!by_mode || by_mode->is<way::Same>());
}

bool IsFinalDecision(RunMode mode, const Decision& decision) {
  return mode != RunMode::kDestroy || !decision.is<way::SkipCreate>();
}

}  // namespace kingpost::decisions
