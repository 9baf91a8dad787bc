// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/references.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace kingpost::codegen {

namespace {

std::string Folded(std::string_view text) {
  std::string folded = Lowered(std::string(text));
  std::erase_if(folded, [](char c) { return c == '_' || c == '-'; });
  return folded;
}

// "bucket" and "bucketId" name a Bucket, "vpcs" several Vpcs.
bool NamesType(const std::string& property, const Urn& urn) {
  const std::string name = Folded(schema::NameOfToken(std::string(urn.type()))), word = Folded(property);
  constexpr const char* kEndings[] = {"", "id", "ids", "name", "names", "arn", "arns", "s"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](const char* ending) { return word == name + ending; });
}

}  // namespace

References::References(const std::vector<StatePtr>& states) : states_(states) {
  for (const StatePtr& state : states_) by_urn_[state->urn] = state;
  for (const StatePtr& state : states_) {
    // A provider's ID stands for nothing else.
    if (!state->id.empty() && !state->is_provider()) values_.emplace(state->id, Candidate{state, "id", false});
    for (const auto& [name, value] : state->outputs) {
      const bool secret = value.is_secret();
      const Value& plain = secret ? value.as_secret().element : value;
      const bool offered = name != "id" && plain.is_string() && !plain.as_string().empty();
      if (offered) values_.emplace(plain.as_string(), Candidate{state, name, secret});
    }
    for (const Urn& urn : state->dependencies) Link(state->urn, urn);
    for (const Urn& urn : state->replace_with) Link(state->urn, urn);
    for (const Urn& urn : {state->parent, state->deleted_with}) {
      if (!urn.empty()) Link(state->urn, urn);
    }
    if (const auto provider = ProviderReference::Parse(state->provider); provider.ok()) Link(state->urn, provider->urn);
  }
}

// By depth, without recursion: chains of a state may be as long as the state.
std::vector<Urn> References::LinkedTo(const std::vector<Urn>& urns) const {
  std::vector<Urn> ordered;
  std::set<Urn> placed;
  std::vector<std::pair<Urn, bool>> open;
  for (auto it = urns.rbegin(); it != urns.rend(); ++it) open.emplace_back(*it, false);
  while (!open.empty()) {
    const auto [urn, entered] = open.back();
    open.pop_back();
    if (entered) ordered.push_back(urn);
    if (entered || !placed.insert(urn).second) continue;
    open.emplace_back(urn, true);
    const auto links = links_.find(urn);
    if (links == links_.end()) continue;
    for (const Urn& next : links->second) open.emplace_back(next, false);
  }
  return ordered;
}

// Any output may have been the source of a recorded dependency; without one, only outputs that are made for
// references count. A name counts if the property asks for one ("bucketName"); elsewhere "prod" is a coincidence.
const References::Candidate* References::Choose(const State& from, const std::string& property,
                                                const std::string& text) const {
  const auto only = [](const std::vector<const Candidate*>& all, const auto& holds) {
    std::vector<const Candidate*> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some), [&](const Candidate* each) { return holds(*each); });
    return some;
  };
  const auto recorded = from.property_dependencies.find(property);
  const auto depends = [&](const Candidate& candidate) {
    return recorded != from.property_dependencies.end() &&
           std::count(recorded->second.begin(), recorded->second.end(), candidate.state->urn) > 0;
  };
  const auto is_named = [&](const Candidate& candidate) { return NamesType(property, candidate.state->urn); };
  const auto is_likely = [&](const Candidate& candidate) {
    return candidate.property == "id" || candidate.property == "arn" ||
           (candidate.property == "name" && is_named(candidate));
  };
  std::vector<const Candidate*> others;
  const auto [begin, end] = values_.equal_range(text);
  for (auto it = begin; it != end; ++it) {
    if (it->second.state->urn != from.urn) others.push_back(&it->second);
  }
  std::vector<const Candidate*> matching = only(others, depends);
  if (matching.empty()) matching = only(others, is_likely);
  // A resource's own name is no reference to another one of the same ID, unless the property says so.
  const std::vector<const Candidate*> named = only(matching, is_named);
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
  const std::vector<Urn> before = LinkedTo({to});
  if (std::find(before.begin(), before.end(), from.urn) != before.end()) return nullptr;
  Link(from.urn, to);
  inputs_.insert({from.urn, to});
  return Make(PropertyRef{to.str(), found->property});
}

std::vector<StatePtr> References::InOrder() const {
  std::vector<Urn> urns;
  for (const StatePtr& state : states_) urns.push_back(state->urn);
  std::vector<StatePtr> ordered;
  for (const Urn& urn : LinkedTo(urns)) {
    if (const auto found = by_urn_.find(urn); found != by_urn_.end()) ordered.push_back(found->second);
  }
  return ordered;
}

}  // namespace kingpost::codegen
