// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/references.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace kingpost::codegen {

namespace {

struct Text {
  std::string text;
  bool secret = false;
};

std::optional<Text> TextOfOutput(const Value& value) {
  if (value.is_string()) return Text{value.as_string(), false};
  if (value.is_secret() && value.as_secret().element.is_string())
    return Text{value.as_secret().element.as_string(), true};
  return std::nullopt;
}

std::string Folded(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z')
      folded += static_cast<char>(c - 'A' + 'a');
    else if (c != '_' && c != '-')
      folded += c;
  }
  return folded;
}

// "bucket" and "bucketId" name a Bucket, "vpcs" several Vpcs.
bool NamesType(const std::string& property, const Urn& urn) {
  const std::string_view type = urn.type();
  const std::string name = Folded(type.substr(type.rfind(':') + 1));
  const std::string word = Folded(property);
  for (const char* ending : {"", "id", "ids", "name", "names", "arn", "arns", "s"}) {
    if (word == name + ending) return true;
  }
  return false;
}

}  // namespace

References::References(const std::vector<StatePtr>& states) : states_(states) {
  for (const StatePtr& state : states_) by_urn_[state->urn] = state;
  for (const StatePtr& state : states_) {
    Offer(state);
    for (const Urn& urn : state->dependencies) Link(state->urn, urn);
    for (const Urn& urn : state->replace_with) Link(state->urn, urn);
    for (const Urn& urn : {state->parent, state->deleted_with}) {
      if (!urn.empty()) Link(state->urn, urn);
    }
    if (const auto provider = ProviderReference::Parse(state->provider); provider.ok()) Link(state->urn, provider->urn);
  }
}

// Any output may have been the source of a recorded dependency; without one, only outputs that are made for
// references count. A name counts if the property asks for one ("bucketName"); elsewhere "prod" is a coincidence.
void References::Offer(const StatePtr& state) {
  if (!state->id.empty() && !state->is_provider()) values_.emplace(state->id, Candidate{state, "id", false});
  for (const auto& [name, value] : state->outputs) {
    if (name == "id") continue;
    const auto text = TextOfOutput(value);
    if (text && !text->text.empty()) values_.emplace(text->text, Candidate{state, name, text->secret});
  }
}

bool References::Reaches(const Urn& from, const Urn& to) const {
  std::set<Urn> seen;
  std::vector<Urn> open = {from};
  while (!open.empty()) {
    const Urn urn = open.back();
    open.pop_back();
    if (urn == to) return true;
    if (!seen.insert(urn).second) continue;
    const auto links = links_.find(urn);
    if (links != links_.end()) open.insert(open.end(), links->second.begin(), links->second.end());
  }
  return false;
}

std::vector<const References::Candidate*> References::Matching(const State& from, const std::string& property,
                                                               const std::string& text) const {
  const auto recorded = from.property_dependencies.find(property);
  const auto depends = [&](const Urn& urn) {
    return recorded != from.property_dependencies.end() &&
           std::find(recorded->second.begin(), recorded->second.end(), urn) != recorded->second.end();
  };
  std::vector<const Candidate*> known, likely;
  const auto [begin, end] = values_.equal_range(text);
  for (auto it = begin; it != end; ++it) {
    const Candidate& candidate = it->second;
    if (candidate.state->urn == from.urn) continue;
    if (depends(candidate.state->urn)) known.push_back(&candidate);
    const bool unique = candidate.property == "id" || candidate.property == "arn";
    const bool named = candidate.property == "name" && NamesType(property, candidate.state->urn);
    if (unique || named) likely.push_back(&candidate);
  }
  return known.empty() ? likely : known;
}

const References::Candidate* References::Choose(const State& from, const std::string& property,
                                                const std::string& text) const {
  std::vector<const Candidate*> matching = Matching(from, property, text);
  std::vector<const Candidate*> named;
  for (const Candidate* candidate : matching) {
    if (NamesType(property, candidate->state->urn)) named.push_back(candidate);
  }
  // A resource's own name is no reference to another one of the same ID, unless the property says so.
  if (!named.empty() || text == from.id) matching = named;
  const Candidate* best = nullptr;
  for (const Candidate* candidate : matching) {
    if (best && best->state != candidate->state) return nullptr;  // which one is meant cannot be told
    if (!best || candidate->property == "id" || (best->property != "id" && candidate->property == property)) {
      best = candidate;
    }
  }
  return best;
}

ExpressionPtr References::Find(const State& from, const std::string& property, const std::string& text, bool secret) {
  const Candidate* found = text.empty() ? nullptr : Choose(from, property, text);
  // A secret stays one only if its source is.
  if (!found || found->secret != secret) return nullptr;
  const Urn& to = found->state->urn;
  if (Reaches(to, from.urn)) return nullptr;
  Link(from.urn, to);
  inputs_[from.urn].insert(to);
  return Make(PropertyRef{to.str(), found->property});
}

bool References::Refers(const Urn& from, const Urn& to) const {
  const auto found = inputs_.find(from);
  return found != inputs_.end() && found->second.count(to) > 0;
}

std::vector<StatePtr> References::InOrder() const {
  std::vector<StatePtr> ordered;
  std::set<Urn> placed;
  // By depth, without recursion: chains of a state may be as long as the state.
  std::vector<std::pair<StatePtr, bool>> open;
  for (auto it = states_.rbegin(); it != states_.rend(); ++it) open.emplace_back(*it, false);
  while (!open.empty()) {
    const auto [state, entered] = open.back();
    open.pop_back();
    if (entered) {
      ordered.push_back(state);
      continue;
    }
    if (!placed.insert(state->urn).second) continue;
    open.emplace_back(state, true);
    const auto links = links_.find(state->urn);
    if (links == links_.end()) continue;
    for (const Urn& urn : links->second) {
      const auto found = by_urn_.find(urn);
      if (found != by_urn_.end() && placed.count(urn) == 0) open.emplace_back(found->second, false);
    }
  }
  return ordered;
}

}  // namespace kingpost::codegen
