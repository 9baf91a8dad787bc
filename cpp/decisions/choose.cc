// SPDX-License-Identifier: Apache-2.0
#include "decisions/choose.h"

#include <algorithm>
#include <set>

#include "decisions/diff_rules.h"
#include "decisions/go_along.h"
#include "decisions/keep.h"
#include "decisions/remaking.h"

namespace kingpost::decisions {

namespace {

std::string TopLevel(const std::string& path) { return path.substr(0, path.find_first_of(".[")); }

}  // namespace

std::vector<std::string> DifferingInputs(const PropertyMap& before, const PropertyMap& after) {
  if (DeepEqual(before, after)) return {};  // most are, and a recorded text need not be decoded to see it
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

// The properties that the answer names as changed, or else those that differ.
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

// The reason to replace the resource whatever its provider would say.
std::optional<Forced> ForcedReplace(const Candidate& candidate, const Rows& rows, const Selection& selection) {
  const State& draft = candidate.draft;
  if (selection.IsForcedReplace(draft.urn)) return Forced{"id", Because(Rule::kForced)};
  if (candidate.old_state->taint) return Forced{"id", Because(Rule::kTainted)};
  if (auto along = FindLinkedReplacement(draft, rows)) return Forced{std::move(along->key), std::move(along->because)};
  return std::nullopt;
}

DiffResponse ForcedDiff(const std::string& key) {
  DiffResponse diff;
  diff.changes = DiffChanges::kSome;
  diff.replaces = {key};
  return diff;
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
Result<Choice> ChooseFromDiff(const Candidate& candidate, const Rows& rows, const Selection& selection,
                              const DiffResponse& answered, ReasonPtr forced) {
  const bool is_forced = IsForced(*candidate.old_state, candidate.draft.urn, selection);
  const State& old_state = *candidate.old_state;
  if (answered.changes == DiffChanges::kUnknown) {
    return Status(Code::kInternal, "unrecognized diff state for " + candidate.draft.urn.str() + ": 0");
  }
  const bool init_errors = !old_state.init_errors.empty();
  auto promoted = ApplyReplaceOnChanges(answered, candidate.goal.replace_on_changes, init_errors);
  if (!promoted.ok()) return promoted.status();
  const bool resumes = IsPendingReplacement(candidate.old_state, rows);
  const bool changed = promoted->changes == DiffChanges::kSome || resumes;
  if (changed && (forced || resumes || WantsReplace(*promoted))) {
    way::Replace replace;
    replace.delete_first = candidate.goal.delete_before_replace.value_or(promoted->delete_before_replace);
    // The resource is a new one, so the provider chooses its defaults again. If it was forced, they have been already.
    replace.checks_again = candidate.goal.custom && !is_forced;
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
      const bool changes = row && (row->outcome() == RowOutcome::kCreated || row->outcome() == RowOutcome::kUpdated ||
                                   row->outcome() == RowOutcome::kReplaced);
      if (changes) return Because(rule, keys, row->urn(), row->because());
    }
  }
  return Because(rule, keys);
}

bool IsForced(const State& recorded, const Urn& urn, const Selection& selection) {
  return selection.IsForcedReplace(urn) || recorded.taint;
}

bool WasDeletedFirst(const Candidate& candidate, const Rows& rows) {
  return candidate.old_state && rows.IsDeletedFirst(candidate.old_state);
}

Result<Choice> Choose(const Candidate& candidate, const Rows& rows, const Selection& selection,
                      const Answers& answers) {
  const StatePtr& old_state = candidate.old_state;
  const State& draft = candidate.draft;
  if (WasDeletedFirst(candidate, rows)) {
    return Choice(Decision{way::Recreate(), rows.RecordedStateOf(old_state)->because()});
  }
  if (old_state && old_state->external) return Choice(Decision{way::TakeOver(), Because(Rule::kBecomesManaged)});
  if (!candidate.included) return Choice(ChooseLeftOut(old_state, selection.WhyLeftOut(), rows));
  if (!old_state) return Choice(Decision{way::Create(), Because(Rule::kNew)});
  if (IsAlreadyKept(draft, old_state, rows))
    return Choice(Decision{way::AnswerRecorded(), Because(Rule::kInputsEqual)});
  const Status may = CheckMayChange(draft.urn, rows);
  if (!may.ok()) return Choice(Refused(may.message(), false));
  if (const auto unknown = UnknownTrigger(draft, candidate.preview)) return Choice(Refused(*unknown, true));
  if (TriggersReplace(old_state->replacement_trigger, draft.replacement_trigger)) {
    DiffResponse triggered;
    triggered.changes = DiffChanges::kSome;
    return ChooseFromDiff(candidate, rows, selection, triggered, Because(Rule::kTrigger));
  }
  if (answers.diff) return ChooseFromDiff(candidate, rows, selection, *answers.diff, nullptr);
  if (const auto forced = ForcedReplace(candidate, rows, selection)) {
    return ChooseFromDiff(candidate, rows, selection, ForcedDiff(forced->key), forced->because);
  }
  const Result<ProviderChange> provider = CompareProviders(*old_state, draft, answers.provider_replaces, rows);
  if (!provider.ok()) return provider.status();
  if (provider->question) return Choice(*provider->question);
  if (provider->replaces) {
    return ChooseFromDiff(candidate, rows, selection, ForcedDiff("provider"), Because(Rule::kProviderReplaced));
  }
  if (const auto own = OwnComparison(candidate)) return ChooseFromDiff(candidate, rows, selection, *own, nullptr);
  return Choice(AskDiff());
}

}  // namespace kingpost::decisions
