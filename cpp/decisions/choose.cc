// SPDX-License-Identifier: Apache-2.0
#include "decisions/choose.h"

#include <algorithm>
#include <set>

#include "base/encoding.h"
#include "decisions/diff_rules.h"
#include "decisions/keep.h"

namespace kingpost::decisions {

namespace {

std::string TopLevel(const std::string& path) { return path.substr(0, path.find_first_of(".[")); }

}  // namespace

std::vector<std::string> DifferingInputs(const PropertyMap& before, const PropertyMap& after) {
  std::set<std::string> keys;
  for (const auto& [key, value] : after) {
    const Value* known = before.Find(key);
    if (!known || !DeepEqual(*known, value)) keys.insert(key);
  }
  for (const auto& [key, value] : before) {
    if (!after.Find(key)) keys.insert(key);
  }
  return {keys.begin(), keys.end()};
}

namespace {

// What the answer names as changed, or else what differs.
std::vector<std::string> ChangedPaths(const Candidate& candidate, const DiffResponse& diff) {
  std::vector<std::string> paths;
  for (const auto& [path, property] : diff.detailed) paths.push_back(path);
  if (paths.empty()) paths = diff.changed_keys;
  return paths.empty() ? DifferingInputs(candidate.old_state->inputs, candidate.draft.inputs) : paths;
}

std::vector<std::string> ReplacingPaths(const DiffResponse& diff) {
  std::vector<std::string> paths;
  for (const auto& [path, property] : diff.detailed) {
    if (IsReplace(property.kind)) paths.push_back(path);
  }
  return paths.empty() ? diff.replaces : paths;
}

struct Forced {
  std::string key;
  ReasonPtr because;
};

// What replaces the resource whatever its provider would say.
std::optional<Forced> ForcedReplace(const Candidate& candidate, const Rows& rows, const Selection& selection) {
  const State& draft = candidate.draft;
  if (selection.IsForcedReplace(draft.urn)) return Forced{"id", Because(Rule::kForced)};
  if (candidate.old_state->taint) return Forced{"id", Because(Rule::kTainted)};
  for (const Urn& other : draft.replace_with) {
    if (!rows.IsReplaced(other)) continue;
    return Forced{"replaceWith", Because(Rule::kReplaceWith, {}, other, rows.WhyDecided(other))};
  }
  const Urn& with = draft.deleted_with;
  if (!with.empty() && rows.IsReplaced(with)) {
    return Forced{"deletedWith", Because(Rule::kDeletedWith, {}, with, rows.WhyDecided(with))};
  }
  return std::nullopt;
}

DiffResponse ForcedDiff(const std::string& key) {
  DiffResponse diff;
  diff.changes = DiffChanges::kSome;
  diff.replaces = {key};
  return diff;
}

// Whether another provider serves it now; a question if only the providers can tell whether that matters.
struct ProviderChange {
  bool replaces = false;
  std::optional<AskProvider> question;
};

Result<ProviderChange> CompareProviders(const Candidate& candidate, const Rows& rows, const Answers& answers) {
  const std::string& recorded = candidate.old_state->provider;
  const std::string& wanted = candidate.draft.provider;
  ProviderChange change;
  if (recorded == wanted) return change;
  if (recorded.empty() || wanted.empty()) {
    change.replaces = true;
    return change;
  }
  if (answers.provider_replaces) {
    change.replaces = *answers.provider_replaces;
    return change;
  }
  auto old_ref = ProviderReference::Parse(recorded);
  auto new_ref = ProviderReference::Parse(wanted);
  if (!old_ref.ok()) return old_ref.status();
  if (!new_ref.ok()) return new_ref.status();
  const bool renamed = rows.IsRenamed(old_ref->urn) && rows.NowCalled(old_ref->urn) == new_ref->urn;
  if (!renamed) change.question = AskProvider{*old_ref, *new_ref};
  return change;
}

// Its own comparison, where no provider is asked: of components, and in the legacy mode of what is equal.
std::optional<DiffResponse> OwnComparison(const Candidate& candidate) {
  if (candidate.goal.custom && !candidate.legacy_diff) return std::nullopt;
  const bool equal = DeepEqual(candidate.old_state->inputs, candidate.draft.inputs);
  if (candidate.goal.custom && !equal) return std::nullopt;
  DiffResponse plain;
  plain.changes = equal ? DiffChanges::kNone : DiffChanges::kSome;
  return plain;
}

ReasonPtr WhyReplaced(const Candidate& candidate, const Rows& rows, const DiffResponse& answered,
                      const DiffResponse& promoted) {
  if (WantsReplace(answered)) return WhyInputsChanged(candidate, rows, ReplacingPaths(answered), Rule::kNotInPlace);
  if (WantsReplace(promoted)) {
    return WhyInputsChanged(candidate, rows, ReplacingPaths(promoted), Rule::kReplaceOnChanges);
  }
  return Because(Rule::kResumed);
}

Decision ChooseUnchanged(const Candidate& candidate) {
  if (candidate.imported) return {way::AnswerRecorded(), Because(Rule::kImported)};
  std::vector<std::string> differing = DifferingInputs(candidate.old_state->inputs, candidate.draft.inputs);
  if (differing.empty()) return {way::Same(), Because(Rule::kInputsEqual)};
  return {way::Same(), Because(Rule::kProviderSeesNoChange, std::move(differing))};
}

// `forced` is why it is replaced whatever the diff says of the properties, or null.
Result<Choice> ChooseFromDiff(const Candidate& candidate, const Rows& rows, const DiffResponse& answered,
                              ReasonPtr forced) {
  const State& old_state = *candidate.old_state;
  if (answered.changes == DiffChanges::kUnknown) {
    return Status(Code::kInternal, "unrecognized diff state for " + candidate.draft.urn.str() + ": 0");
  }
  const bool init_errors = !old_state.init_errors.empty();
  auto promoted = ApplyReplaceOnChanges(answered, candidate.goal.replace_on_changes, init_errors);
  if (!promoted.ok()) return promoted.status();
  const bool resumes = rows.WaitsForReplacement(candidate.old_state);
  const bool changed = promoted->changes == DiffChanges::kSome || resumes;
  if (changed && (forced || resumes || WantsReplace(*promoted))) {
    way::Replace replace;
    replace.delete_first = candidate.goal.delete_before_replace.value_or(promoted->delete_before_replace);
    replace.diff = std::move(*promoted);
    if (!forced) forced = WhyReplaced(candidate, rows, answered, replace.diff);
    return Choice(Decision{std::move(replace), std::move(forced)});
  }
  if (!changed && !init_errors) return Choice(ChooseUnchanged(candidate));
  ReasonPtr because = changed
                          ? WhyInputsChanged(candidate, rows, ChangedPaths(candidate, *promoted), Rule::kInputsChanged)
                          : Because(Rule::kInitErrors);
  return Choice(Decision{way::Update{std::move(*promoted)}, std::move(because)});
}

Decision Refused(std::string text, bool is_told_as_error) {
  return {way::Refuse{std::move(text), is_told_as_error}, Because(Rule::kKeptForDependent)};
}

ReasonPtr WhyLeftOut(const Selection& selection) {
  return Because(selection.by_excludes() ? Rule::kExcluded : Rule::kNotTargeted);
}

}  // namespace

ReasonPtr WhyInputsChanged(const Candidate& candidate, const Rows& rows, const std::vector<std::string>& keys,
                           Rule rule) {
  if (keys.empty()) return Because(Rule::kProviderSeesChange);
  const auto is_remediated = [&](const std::string& key) {
    return std::find(candidate.remediated.begin(), candidate.remediated.end(), TopLevel(key)) !=
           candidate.remediated.end();
  };
  if (rule == Rule::kInputsChanged && std::all_of(keys.begin(), keys.end(), is_remediated)) {
    return Because(Rule::kRemediated, keys);
  }
  for (const std::string& key : keys) {
    const auto from = candidate.draft.property_dependencies.find(TopLevel(key));
    if (from == candidate.draft.property_dependencies.end()) continue;
    for (const Urn& urn : from->second) {
      const Row* row = rows.Find(urn);
      const bool changes =
          row && (row->fate() == Fate::kCreated || row->fate() == Fate::kUpdated || row->fate() == Fate::kReplaced);
      if (changes) return Because(rule, keys, row->urn(), row->because());
    }
  }
  return Because(rule, keys);
}

bool WentFirst(const Candidate& candidate, const Rows& rows) {
  return candidate.old_state && rows.GoesFirst(candidate.old_state);
}

Result<Choice> Choose(const Candidate& candidate, const Rows& rows, const Selection& selection,
                      const Answers& answers) {
  const StatePtr& old_state = candidate.old_state;
  const State& draft = candidate.draft;
  if (WentFirst(candidate, rows)) {
    return Choice(Decision{way::Recreate(), rows.SideOf(old_state)->because()});
  }
  if (old_state && old_state->external) return Choice(Decision{way::TakeOver(), Because(Rule::kBecomesOurs)});
  if (!old_state && candidate.included) return Choice(Decision{way::Create(), Because(Rule::kNew)});
  if (!old_state) return Choice(Decision{way::SkipCreate(), WhyLeftOut(selection)});
  if (!candidate.included) {
    if (rows.IsUnchanged(old_state->urn)) return Choice(Decision{way::AnswerRecorded(), WhyLeftOut(selection)});
    return Choice(Decision{way::Keep(), WhyLeftOut(selection)});
  }
  const Status may = MayStillChange(draft.urn, rows);
  if (!may.ok()) return Choice(Refused(may.message(), false));
  if (!candidate.preview && ContainsUnknowns(draft.replacement_trigger)) {
    return Choice(Refused("replacement trigger contains unknowns for " + draft.urn.str(), true));
  }
  if (TriggersReplace(old_state->replacement_trigger, draft.replacement_trigger)) {
    DiffResponse triggered;
    triggered.changes = DiffChanges::kSome;
    return ChooseFromDiff(candidate, rows, triggered, Because(Rule::kTrigger));
  }
  if (answers.diff) return ChooseFromDiff(candidate, rows, *answers.diff, nullptr);
  if (const auto forced = ForcedReplace(candidate, rows, selection)) {
    return ChooseFromDiff(candidate, rows, ForcedDiff(forced->key), forced->because);
  }
  const Result<ProviderChange> provider = CompareProviders(candidate, rows, answers);
  if (!provider.ok()) return provider.status();
  if (provider->question) return Choice(*provider->question);
  if (provider->replaces) {
    return ChooseFromDiff(candidate, rows, ForcedDiff("provider"), Because(Rule::kProviderReplaced));
  }
  if (const auto own = OwnComparison(candidate)) return ChooseFromDiff(candidate, rows, *own, nullptr);
  return Choice(AskDiff());
}

std::optional<Decision> ChooseImport(const Goal& goal, const StatePtr& old_state, bool went_first) {
  if (!goal.custom || goal.import_id.empty()) return std::nullopt;
  if (old_state && !old_state->external) {
    const std::string& known = old_state->import_id.empty() ? old_state->id : old_state->import_id;
    if (known == goal.import_id) return std::nullopt;
  }
  if (old_state && !went_first) return Decision{way::ImportInstead(), Because(Rule::kImported)};
  return Decision{way::ImportIt(), Because(Rule::kImported)};
}

Decision ChooseRead(const StatePtr& old_state, const std::string& id) {
  if (old_state && !old_state->external && old_state->id != id) {
    return {way::ReadInstead(), Because(Rule::kReadByProgram)};
  }
  return {way::ReadIt(), Because(Rule::kReadByProgram)};
}

bool IsUnknownYet(const State& draft, bool is_preview, const Rows& rows) {
  if (draft.id == kUnknownString) return true;
  return is_preview && std::any_of(draft.dependencies.begin(), draft.dependencies.end(), [&rows](const Urn& urn) {
           const Row* row = rows.Find(urn);
           return row && (row->fate() == Fate::kCreated || row->fate() == Fate::kReplaced);
         });
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

}  // namespace kingpost::decisions
