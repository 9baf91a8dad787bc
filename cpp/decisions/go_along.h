// SPDX-License-Identifier: Apache-2.0
// Resources that go along with another: deletedWith, replaceWith, and the provider of a resource (rows 3.38, 3.39,
// 4.12). To be a child of another, or to depend on it, takes nobody along. Pure.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>

#include "decisions/reason.h"
#include "decisions/rows.h"

namespace kingpost::decisions {

// A resource is replaced because another one was, in this run.
struct LinkedReplacement {
  std::string key;  // the option that says so, as the keys of a replacement name it
  ReasonPtr because;
};
// replaceWith before deletedWith; nullopt if nothing that either names is replaced.
std::optional<LinkedReplacement> FindLinkedReplacement(const State& draft, const Rows& rows);

// A recorded resource cannot outlive what goes before a replacement.
struct ForcedDelete {
  Rule rule;  // kProviderCondemned or kLinkedToReplaced
  Urn by;
};
// By its provider, or by what it is deleted with; nullopt if neither is in `going`.
std::optional<ForcedDelete> FindForcedDelete(const State& dependent, const std::unordered_set<Urn>& going);

// Whether it is gone with what deletedWith names, so that its own delete needs no call.
bool IsDeletedWithAnother(const State& recorded, const Rows& rows);

}  // namespace kingpost::decisions
