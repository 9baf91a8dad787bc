// SPDX-License-Identifier: Apache-2.0
#include "decisions/read_rules.h"

#include <algorithm>
#include <memory>

#include "decisions/dependency_refs.h"

namespace kingpost::decisions {

namespace {

constexpr char kQuestion[] = "__exists__";

}  // namespace

State DraftOfRead(const DeclaredFields& declared, const std::string& id, const Urn& urn) {
  State draft;
  static_cast<DeclaredFields&>(draft) = declared;
  draft.urn = urn;
  draft.custom = true;
  draft.id = id;
  draft.external = true;
  return draft;
}

Decision ChooseRead(const StatePtr& old_state, const std::string& id) {
  if (old_state && !old_state->external && old_state->id != id) {
    return {way::ReadReplacement(), Because(Rule::kReadByProgram)};
  }
  return {way::Read(), Because(Rule::kReadByProgram)};
}

RowOutcome ReadOutcome(const Decision& read) {
  return read.is<way::ReadReplacement>() ? RowOutcome::kReplaced : RowOutcome::kRead;
}

bool IsDroppedAtEnd(const Decision& read, RunMode mode) {
  return mode == RunMode::kDestroy && !read.is<way::ReadReplacement>();
}

bool IsUnknownYet(const State& draft, bool is_preview, const Rows& rows) {
  if (draft.id == kUnknownString) return true;
  return is_preview && std::any_of(draft.dependencies.begin(), draft.dependencies.end(), [&rows](const Urn& urn) {
           const Row* row = rows.Find(urn);
           return row && (row->outcome() == RowOutcome::kCreated || row->outcome() == RowOutcome::kReplaced);
         });
}

bool IsReadOfLeftOut(const State& draft, const StatePtr& old_state, const Rows& rows) {
  return !old_state && DependsOnAny(draft, [&rows](const Urn& urn) { return rows.IsSkipped(urn); });
}

StatePtr LastKnown(const StatePtr& skipped, const StatePtr& recorded) {
  if (!recorded) return skipped;
  auto state = std::make_shared<State>(*skipped);
  state->outputs = recorded->outputs;
  return state;
}

PropertyMap SecretsOfProvider(const State& recorded) {
  PropertyMap known = recorded.outputs;
  for (const std::string& key : recorded.additional_secret_outputs) known.Erase(key);
  return known;
}

PropertyMap KnownSecrets(const State& recorded, const State& next) {
  PropertyMap known = SecretsOfProvider(recorded);
  for (const auto& [key, value] : next.inputs) known.Erase(key);
  return known;
}

Existence ExistenceFrom(const ReadResponse& read) {
  if (!read.outputs) return Existence::kNo;
  return read.outputs->empty() ? Existence::kUnknown : Existence::kYes;
}

std::string ExistsQueryName(int64_t number) { return kQuestion + std::to_string(number); }

bool IsExistsQuery(const Urn& urn) { return urn.valid() && urn.name().starts_with(kQuestion); }

}  // namespace kingpost::decisions
