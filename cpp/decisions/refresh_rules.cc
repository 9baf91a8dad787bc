// SPDX-License-Identifier: Apache-2.0
#include "decisions/refresh_rules.h"

#include <algorithm>

#include "decisions/diff_rules.h"
#include "decisions/read_rules.h"
#include "decisions/remaking.h"
#include "decisions/run_mode.h"
#include "decisions/secret_outputs.h"
#include "model/restore_secrets.h"

namespace kingpost::decisions {

FirstRefresh FirstRefreshOf(const OperationOptions& options, const Rows& rows) {
  const RefreshTime time = RefreshTimeOf(options);
  if (time == RefreshTime::kBeforeProgram) return FirstRefresh::kAll;
  if (time == RefreshTime::kAsRegistered) return FirstRefresh::kNothing;
  const bool flagged = std::any_of(rows.base().begin(), rows.base().end(), [](const StatePtr& recorded) {
    return recorded->refresh_before_update && !recorded->pending_delete;
  });
  return flagged ? FirstRefresh::kFlagged : FirstRefresh::kNothing;
}

std::vector<StatePtr> ToRefresh(const Rows& rows, const Selection& selection, bool flagged_only) {
  Selection::Refresh of_refresh(selection);
  std::vector<StatePtr> wanted;
  for (const StatePtr& recorded : rows.base()) {
    if (recorded->is_view() || (flagged_only && !recorded->refresh_before_update)) continue;
    if (of_refresh.Takes(*recorded)) wanted.push_back(recorded);
  }
  return wanted;
}

std::vector<StatePtr> BaseAfterRefresh(const std::vector<StatePtr>& base,
                                       const std::map<const State*, StatePtr>& found) {
  std::vector<StatePtr> resources;
  std::map<Urn, StatePtr> removed;
  for (const StatePtr& recorded : base) {
    const auto read = found.find(recorded.get());
    if (read == found.end()) {
      resources.push_back(recorded);
    } else if (read->second) {
      resources.push_back(read->second);
    } else {
      removed[recorded->urn] = recorded;
    }
  }
  return DropEmptyPropertyDependencies(DropDanglingReferences(resources, removed));
}

bool IsReadByProvider(const Step& step, const Rows& rows) {
  const State& recorded = *step.old_state;
  return recorded.custom && !recorded.is_provider() && !step.is_announced_refresh() &&
         CanBeAskedAbout(step.old_state, rows);
}

StepOp ResultUnread(const Step& step, bool legacy_diff) {
  const bool compared = step.refresh == RefreshKind::kStandalone || step.old_state->external || legacy_diff;
  return compared ? StepOp::kSame : StepOp::kUpdate;
}

bool ComparesWithProgram(const Step& step, RunMode mode, const Rows& rows) {
  return mode == RunMode::kRefresh && step.refresh == RefreshKind::kInProgram && !step.old_state->external &&
         IsReadByProvider(step, rows);
}

bool IsGone(const ReadResponse& read) { return read.id.empty() || !read.outputs; }

std::optional<StepOp> ComparedByOutputs(const State& next, const State& recorded, bool legacy_diff) {
  if (!recorded.external && !legacy_diff) return std::nullopt;
  return DeepEqual(next.outputs, recorded.outputs) ? StepOp::kSame : StepOp::kUpdate;
}

void ShowRefreshed(DiffResponse answer, Step* step) {
  const DiffResponse shown = InvertDiff(std::move(answer));
  step->refresh_result = shown.changes == DiffChanges::kSome ? StepOp::kUpdate : StepOp::kSame;
  step->diffs = shown.changed_keys;
  if (shown.has_detailed) step->detailed = shown.detailed;
}

PropertyMap TakeFound(const ReadResponse& read, const State& recorded, State* next) {
  next->id = read.id;
  next->refresh_before_update = read.refresh_before_update;
  // Equal old and new values are held once.
  const auto unless_equal = [](PropertyMap found, const PropertyMap& known) {
    if (!known.text().empty() && DeepEqual(found, known)) return known;
    return found;
  };
  if (read.inputs) next->inputs = unless_equal(RestoreSecrets(*read.inputs, recorded.inputs), recorded.inputs);
  PropertyMap found = unless_equal(RestoreSecrets(*read.outputs, SecretsOfProvider(recorded)), recorded.outputs);
  next->outputs = found;
  MarkSecretOutputs(next);
  return found;
}

}  // namespace kingpost::decisions
