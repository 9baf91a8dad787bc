// SPDX-License-Identifier: Apache-2.0
#include "decisions/keep.h"

#include "decisions/dependency_refs.h"
#include "decisions/remaking.h"
#include "model/output_values.h"

namespace kingpost::decisions {

namespace {

// The provider that serves the state, if it is recorded under the ID that the state names.
StatePtr LiveProviderOf(const State& state, const Rows& rows) {
  auto ref = ProviderReference::Parse(state.provider);
  if (!ref.ok()) return nullptr;
  StatePtr provider = rows.Old(ref->urn);
  return provider && provider->id == ref->id ? provider : nullptr;
}

std::string MissingText(const DependencyRef& dependency, const Urn& urn) {
  static constexpr const char* kKinds[] = {"parent", "dependency", "property dependency", "deleted with dependency",
                                           "replace with dependency"};
  std::string text = std::string(kKinds[static_cast<int>(dependency.kind)]) + " " + dependency.urn.str() +
                     " of untargeted resource " + urn.str();
  if (!dependency.property.empty()) text += "'s property " + dependency.property;
  return text + " has no old state";
}

class Keeper {
 public:
  Keeper(const Urn& urn, const Rows& rows) : urn_(urn), rows_(rows) {}

  Status Keep(const StatePtr& old_state) {
    if (rows_.WaitsForDelete(old_state) || !seen_.insert(old_state->urn).second) return Status();
    const StatePtr provider = LiveProviderOf(*old_state, rows_);
    if (provider && !rows_.HasStep(provider->urn) && !rows_.IsOperatedOn(provider->urn)) KP_TRY(Keep(provider));
    for (const DependencyRef& dependency : AllDependencies(*old_state)) {
      if (rows_.HasStep(dependency.urn) || rows_.IsBeingRefreshed(dependency.urn)) continue;
      if (seen_.count(dependency.urn) > 0) continue;
      const StatePtr recorded = rows_.Old(dependency.urn);
      if (!recorded) return Status(Code::kNotFound, MissingText(dependency, urn_));
      KP_TRY(Keep(recorded));
    }
    kept_.push_back(old_state);
    return Status();
  }
  std::vector<StatePtr> Take() { return std::move(kept_); }

 private:
  const Urn& urn_;
  const Rows& rows_;
  std::unordered_set<Urn> seen_;
  std::vector<StatePtr> kept_;
};

}  // namespace

Decision ChooseLeftOut(const StatePtr& old_state, ReasonPtr because, const Rows& rows) {
  if (!old_state) return {way::SkipCreate(), std::move(because)};
  if (rows.IsUnchanged(old_state->urn)) return {way::AnswerRecorded(), std::move(because)};
  return {way::Keep(), std::move(because)};
}

Status CheckMayChange(const Urn& urn, const Rows& rows) {
  if (!rows.IsUnchanged(urn)) return Status();
  return Status(
      Code::kFailedPrecondition,
      "Duplicate resource URN '" + urn.str() +
          "': it was kept as it is, because an untargeted resource that depends on it was registered first. Target "
          "that resource too, or let the program register it later.");
}

std::vector<Urn> DependenciesOfSames(const Chain& chain) {
  std::vector<Urn> urns;
  for (const StepPtr& step : chain) {
    if (step->same != SameKind::kLeftOut) continue;
    DependsOnAny(*step->old_state, [&urns](const Urn& urn) {
      AddUnique(&urns, urn);
      return false;
    });
  }
  return urns;
}

bool IsLeftOutWithOwner(const State& draft, const StatePtr& old_state, const Rows& rows, const Selection& selection) {
  if (!draft.is_provider() || old_state || selection.IsIncluded(draft)) return false;
  return DependsOnAny(draft, [&rows](const Urn& urn) { return rows.IsSkipped(urn); });
}

Urn LeftOutProvider(const State& state, const Rows& rows) {
  const Urn provider = ProviderUrn(state);
  return !provider.empty() && rows.IsSkipped(provider) ? provider : Urn();
}

bool IsAlreadyKept(const State& draft, const StatePtr& old_state, const Rows& rows) {
  return draft.is_provider() && rows.IsUnchanged(draft.urn) && DeepEqual(old_state->inputs, draft.inputs);
}

Status CheckMayBeKept(const StatePtr& old_state, const Urn& urn, bool is_configured, const Rows& rows,
                      const Selection& selection) {
  if (is_configured || old_state->provider.empty() || !CanBeAskedAbout(old_state, rows)) return Status();
  auto ref = ProviderReference::Parse(old_state->provider);
  if (!ref.ok()) return ref.status();
  const StatePtr recorded = rows.OldProvider(*ref);
  if (!recorded) return Status(Code::kNotFound, "could not find provider " + old_state->provider + " in old state");
  if (recorded->pending_delete) return Status();  // an old side that an earlier run has left to serve it still does
  if (selection.MayInclude(ProviderPackage(ref->urn.type()), rows)) return Status();
  return Status(Code::kFailedPrecondition,
                "provider " + old_state->provider + " for resource " + urn.str() +
                    " has not been registered yet, this is due to a change of providers mixed with --target. "
                    "Change your program back to the original providers");
}

Result<std::vector<StatePtr>> StatesToKeep(const StatePtr& old_state, const Urn& urn, const Rows& rows) {
  Keeper keeper(urn, rows);
  KP_TRY(keeper.Keep(old_state));
  return keeper.Take();
}

void CollectUnhandled(const Urn& urn, const Rows& rows, std::unordered_set<Urn>* seen, std::vector<StatePtr>* states) {
  if (urn.empty() || rows.HasStep(urn) || rows.IsBeingRefreshed(urn) || seen->count(urn) > 0) return;
  const StatePtr recorded = rows.Old(urn);
  if (!recorded || rows.WaitsForDelete(recorded)) return;
  seen->insert(urn);
  if (const StatePtr provider = LiveProviderOf(*recorded, rows)) CollectUnhandled(provider->urn, rows, seen, states);
  for (const DependencyRef& ref : AllDependencies(*recorded)) CollectUnhandled(ref.urn, rows, seen, states);
  states->push_back(recorded);
}

std::optional<MissingDependency> MissingDependencyOf(const Step& step, const Rows& rows, const Selection& selection) {
  if (!step.new_state || step.is_skipped_create()) return std::nullopt;
  Urn missing;
  DependsOnAny(*step.new_state, [&](const Urn& urn) {
    if (!rows.IsSkipped(urn)) return false;
    missing = urn;
    return true;
  });
  if (missing.empty()) return std::nullopt;
  auto refusal = selection.RefusalFor(step.urn(), missing);
  if (!refusal) return std::nullopt;
  return MissingDependency{missing, std::move(*refusal)};
}

}  // namespace kingpost::decisions
