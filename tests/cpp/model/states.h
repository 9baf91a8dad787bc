// SPDX-License-Identifier: Apache-2.0
// Short ways to write states and snapshots in tests.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/digest.h"
#include "model/snapshot.h"

namespace kingpost::testing {

inline Urn TestUrn(const std::string& name, const std::string& parent_type = "") {
  return Urn::Make("stack", "project", parent_type, "pkg:index:Res", name);
}

inline StatePtr TestState(const std::string& name, const std::function<void(State*)>& change = nullptr) {
  auto state = std::make_shared<State>();
  state->urn = TestUrn(name);
  state->type = "pkg:index:Res";
  state->custom = true;
  state->id = "id-" + name;
  if (change) change(state.get());
  return state;
}

inline StatePtr TestProvider(const std::string& name) {
  return TestState(name, [&](State* state) {
    state->type = "pulumi:providers:pkg";
    state->urn = Urn::Make("stack", "project", "", state->type, name);
  });
}

inline std::string ReferenceTo(const StatePtr& provider) {
  return ProviderReference{provider->urn, provider->id}.str();
}

inline Snapshot TestSnapshot(std::vector<StatePtr> resources) {
  Snapshot snapshot;
  snapshot.manifest.version = "3.274.1";
  snapshot.manifest.magic = Sha256Hex(snapshot.manifest.version);
  snapshot.resources = std::move(resources);
  return snapshot;
}

// "a b(deleted) c": names in order.
inline std::string Names(const std::vector<StatePtr>& resources) {
  std::string names;
  for (const StatePtr& state : resources) {
    if (!names.empty()) names += ' ';
    names += std::string(state->urn.name());
    if (state->pending_delete) names += "(deleted)";
    if (state->pending_replacement) names += "(replacing)";
  }
  return names;
}

}  // namespace kingpost::testing
