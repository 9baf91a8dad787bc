// SPDX-License-Identifier: Apache-2.0
#include "decisions/successors.h"

#include <algorithm>

#include "model/reference_names.h"

namespace kingpost::decisions {

Successors::Successors(const std::map<Urn, Urn>& of, const std::vector<StatePtr>& states) : of_(of) {
  for (const StatePtr& state : states) identities_[state->urn] = {state->custom, state->id};
}

const Urn* Successors::Find(const Urn& urn) const {
  const auto found = of_.find(urn);
  return found == of_.end() ? nullptr : &found->second;
}

bool Successors::Follow(Urn* urn) const {
  const Urn* successor = urn->empty() ? nullptr : Find(*urn);
  if (!successor) return false;
  *urn = *successor;
  return true;
}

bool Successors::Follow(std::vector<Urn>* urns) const {
  if (std::none_of(urns->begin(), urns->end(), [this](const Urn& urn) { return Find(urn); })) return false;
  std::vector<Urn> followed;
  for (Urn urn : *urns) {
    Follow(&urn);
    if (std::find(followed.begin(), followed.end(), urn) == followed.end()) followed.push_back(std::move(urn));
  }
  *urns = std::move(followed);
  return true;
}

bool Successors::Follow(PropertyDependencies* dependencies) const {
  const auto names_one = [this](const PropertyDependencies::Entry& entry) {
    return std::any_of(entry.second.begin(), entry.second.end(), [this](const Urn& urn) { return Find(urn); });
  };
  if (std::none_of(dependencies->begin(), dependencies->end(), names_one)) return false;
  for (auto& [key, urns] : dependencies->Own()) Follow(&urns);
  return true;
}

// VerifyIntegrity reports a name that cannot be parsed.
bool Successors::FollowProvider(std::string* reference) const {
  if (reference->empty()) return false;
  const auto parsed = ProviderReference::Parse(*reference);
  const Urn* successor = parsed.ok() ? Find(parsed->urn) : nullptr;
  if (!successor) return false;
  const auto identity = identities_.find(*successor);
  *reference = ProviderReference{*successor, identity == identities_.end() ? parsed->id : identity->second.id}.str();
  return true;
}

Value Successors::Follow(const Value& value) const {
  if (value.is_output()) {
    OutputData output = value.as_output();
    return Follow(&output.dependencies) ? Value::Output(std::move(output)) : value;
  }
  if (!value.is_reference()) return value;
  const Urn* successor = Find(value.as_reference().urn);
  if (!successor) return value;
  ResourceReference reference;
  reference.urn = *successor;
  NameByUrn(&reference);
  const auto identity = identities_.find(*successor);
  if (identity == identities_.end()) {
    reference.id = value.as_reference().id;
  } else if (identity->second.custom) {
    reference.id = std::make_shared<const Value>(identity->second.id);
  }
  return Value::Reference(std::move(reference));
}

bool Successors::Follow(Value* value) const {
  Value followed = Rewrite(*value, [this](const Value& part) { return Follow(part); });
  if (followed.SameAs(*value)) return false;
  *value = std::move(followed);
  return true;
}

// Properties that are still a text hold no references (model/property_text.h).
bool Successors::Follow(PropertyMap* properties) const {
  if (!properties->text().empty()) return false;
  PropertyMap followed = Rewrite(*properties, [this](const Value& part) { return Follow(part); });
  if (followed.SameAs(*properties)) return false;
  *properties = std::move(followed);
  return true;
}

bool Successors::Follow(DeclaredFields* declared) const {
  bool changed = Follow(&declared->parent);
  changed |= Follow(&declared->dependencies);
  changed |= Follow(&declared->property_dependencies);
  changed |= Follow(&declared->deleted_with);
  changed |= Follow(&declared->replace_with);
  changed |= FollowProvider(&declared->provider);
  changed |= Follow(&declared->inputs);
  changed |= Follow(&declared->replacement_trigger);
  return changed;
}

bool Successors::Follow(State* state) const {
  bool changed = Follow(static_cast<DeclaredFields*>(state));
  changed |= Follow(&state->view_of);
  changed |= Follow(&state->outputs);
  return changed;
}

StatePtr Successors::Rewritten(const StatePtr& state) const {
  if (empty()) return state;
  auto copy = std::make_shared<State>(*state);
  return Follow(copy.get()) ? StatePtr(std::move(copy)) : state;
}

bool HoldsNewSecrets(const State& state) {
  bool holds = false;
  const auto look = [&holds](const Value& value) {
    holds = holds || (value.is_secret() && !value.as_secret().sealed && value.as_secret().ciphertext.empty());
    return value;
  };
  (void)Rewrite(state.inputs, look);
  (void)Rewrite(state.outputs, look);
  (void)Rewrite(state.replacement_trigger, look);
  return holds;
}

void PastMigrations::Add(const Urn& root, Successors successors) {
  if (!successors.empty()) all_.push_back({root, std::move(successors)});
}

std::optional<std::string> PastMigrations::WhyTaken(const Urn& urn) const {
  const Urn* root = nullptr;
  Urn now = urn;
  for (const Past& past : all_) {
    if (past.successors.Follow(&now) && !root) root = &past.root;
  }
  if (!root) return std::nullopt;
  return "resource " + urn.str() + " cannot be registered or read because state migration for " + root->str() +
         " replaced it with " + now.str() + " earlier in this deployment";
}

}  // namespace kingpost::decisions
