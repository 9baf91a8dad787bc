// SPDX-License-Identifier: Apache-2.0
#include "decisions/chain.h"

#include "decisions/remaking.h"

namespace kingpost::decisions {

namespace {

void Explain(const DiffResponse& diff, const Goal& goal, Step* step) {
  step->keys = diff.replaces;
  step->diffs = diff.changed_keys;
  if (diff.has_detailed) step->detailed = diff.detailed;
  step->ignore_changes = goal.ignore_changes;
}

class Maker {
 public:
  Maker(const ChainParts& parts, const Rows& rows) : parts_(parts), rows_(rows) {}

  Chain operator()(const way::Same&) { return {decisions::Same(parts_.old_state, parts_.draft)}; }
  Chain operator()(const way::Create&) { return {decisions::Create(parts_.draft)}; }
  Chain operator()(const way::SkipCreate&) { return {SkippedCreate(parts_.draft)}; }
  Chain operator()(const way::Update& update) {
    StepPtr step = decisions::Update(parts_.old_state, parts_.draft);
    Explain(update.diff, parts_.goal, step.get());
    step->keys.clear();
    return {step};
  }
  Chain operator()(const way::Replace& replace) {
    if (replace.delete_first) return DeleteFirst(replace.diff);
    return IsPendingReplacement(parts_.old_state, rows_) ? Remake(replace.diff) : CreateFirst(replace.diff);
  }
  Chain operator()(const way::Recreate&) {
    StepPtr create = CreateReplacement(parts_.old_state, parts_.draft, AfterStep::kSuperseded);
    create->keys = rows_.RecordedStateOf(parts_.old_state)->keys();
    return {decisions::Replace(parts_.old_state, parts_.draft), create};
  }
  Chain operator()(const way::TakeOver&) {
    return {CreateReplacement(parts_.old_state, parts_.draft, AfterStep::kWaitsForDelete),
            decisions::Replace(parts_.old_state, parts_.draft)};
  }
  Chain operator()(const way::Read&) { return {Read(parts_.old_state, parts_.draft)}; }
  Chain operator()(const way::ReadReplacement&) {
    return {ReadReplacement(parts_.old_state, parts_.draft, AfterStep::kWaitsForDelete),
            decisions::Replace(parts_.old_state, parts_.draft)};
  }
  Chain operator()(const way::Import&) { return {Import(parts_.draft)}; }
  Chain operator()(const way::ImportReplacement&) {
    return {ImportReplacement(parts_.old_state, parts_.draft, AfterStep::kWaitsForDelete),
            decisions::Replace(parts_.old_state, parts_.draft)};
  }
  Chain operator()(const way::Keep&) { return {}; }
  Chain operator()(const way::AnswerRecorded&) { return {}; }
  Chain operator()(const way::Refuse&) { return {}; }

 private:
  Chain CreateFirst(const DiffResponse& diff) {
    StepPtr create = CreateReplacement(parts_.old_state, parts_.draft, AfterStep::kWaitsForDelete);
    StepPtr replace = decisions::Replace(parts_.old_state, parts_.draft);
    Explain(diff, parts_.goal, create.get());
    Explain(diff, parts_.goal, replace.get());
    return {create, replace};
  }

  // A resource that is gone needs no delete: the new state takes its place in the record.
  Chain Remake(const DiffResponse& diff) {
    StepPtr replace = decisions::Replace(parts_.old_state, parts_.draft);
    StepPtr create = CreateReplacement(parts_.old_state, parts_.draft, AfterStep::kSuperseded);
    Explain(diff, parts_.goal, replace.get());
    Explain(diff, parts_.goal, create.get());
    return {replace, create};
  }

  Chain DeleteFirst(const DiffResponse& diff) {
    Chain chain;
    for (auto going = parts_.first->rbegin(); going != parts_.first->rend(); ++going) {
      if (rows_.IsDeletedFirst(going->state)) continue;
      const bool waits = rows_.WaitsForDelete(going->state);
      chain.push_back(waits ? Delete(going->state) : DeleteReplaced(going->state, AfterStep::kPendingReplacement));
      chain.back()->because = going->because;
    }
    if (!IsPendingReplacement(parts_.old_state, rows_))
      chain.push_back(DeleteReplaced(parts_.old_state, AfterStep::kPendingReplacement));
    const Chain remade = Remake(diff);
    chain.insert(chain.end(), remade.begin(), remade.end());
    return chain;
  }

  const ChainParts& parts_;
  const Rows& rows_;
};

}  // namespace

Chain ChainFor(const Decision& decision, const ChainParts& parts, const Rows& rows) {
  Chain chain = std::visit(Maker(parts, rows), decision.way);
  for (const StepPtr& step : chain) {
    if (!step->because) step->because = decision.because;
  }
  return chain;
}

}  // namespace kingpost::decisions
