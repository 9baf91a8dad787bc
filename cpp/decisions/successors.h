// SPDX-License-Identifier: Apache-2.0
// The successors of resources in a state migration, and the new references in place of those to their
// predecessors (row 11.12).
//
//   B ─▶ D     C depends on B: it depends on D. "B" in C's properties as a resource reference: D, with D's ID.
//
// Strings that happen to hold a URN stay what they are. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/resource.h"

namespace kingpost::decisions {

class Successors {
 public:
  // `states` hold the successors; what they are goes into references to them.
  Successors(const std::map<Urn, Urn>& of, const std::vector<StatePtr>& states);

  bool empty() const { return of_.empty(); }
  const Urn* Find(const Urn& urn) const;  // null if nobody has taken its place

  // Each changes what names a predecessor, and is true if something did. Of several that have one successor, a list
  // names it once.
  bool Follow(Urn* urn) const;
  bool Follow(DeclaredFields* declared) const;
  bool Follow(State* state) const;
  bool Follow(PropertyMap* properties) const;
  // The state as it is if it names none, else a changed copy.
  StatePtr Rewritten(const StatePtr& state) const;

 private:
  struct Identity {
    bool custom = false;
    std::string id;
  };
  bool Follow(std::vector<Urn>* urns) const;
  bool Follow(PropertyDependencies* dependencies) const;
  bool Follow(Value* value) const;
  bool FollowProvider(std::string* reference) const;
  Value Follow(const Value& value) const;

  std::map<Urn, Urn> of_;
  std::map<Urn, Identity> identities_;
};

// Whether a secret of it has never been saved: nobody can know what it holds without the stack's key.
bool HoldsNewSecrets(const State& state);

// The migrations that this run has made, in order. What the program says may be older than they are.
class PastMigrations {
 public:
  bool empty() const { return all_.empty(); }
  void Add(const Urn& root, Successors successors);

  template <class T>
  void Follow(T* what) const {
    for (const Past& past : all_) past.successors.Follow(what);
  }
  // A name that has a successor cannot be given to another: a reference to it would be ambiguous.
  std::optional<std::string> WhyTaken(const Urn& urn) const;

 private:
  struct Past {
    Urn root;
    Successors successors;
  };
  std::vector<Past> all_;
};

}  // namespace kingpost::decisions
