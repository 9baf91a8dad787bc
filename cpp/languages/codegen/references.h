// SPDX-License-Identifier: Apache-2.0
// Which resource a text in another one's inputs may stand for: what was imported names its surroundings by their IDs,
// and a program says so by a reference. Any thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "languages/codegen/program.h"
#include "model/resource.h"

namespace kingpost::codegen {

class References {
 public:
  // `states` are declared by the program, in this order.
  explicit References(const std::vector<StatePtr>& states);

  // The output whose value the text is, if one is meant and a reference to it closes no circle: it is remembered as a
  // dependency of `from`. Chooses among several resources with the value: one that the state lists as a dependency of
  // the property, or whose type is in the property's name, or the only one. ("bucket": a bucket, not its policy of
  // the same ID.)
  ExpressionPtr Find(const State& from, const std::string& property, const std::string& text, bool secret);

  bool Declares(const Urn& urn) const { return by_urn_.count(urn) > 0; }
  // Whether `from` refers to `to` in its inputs.
  bool Refers(const Urn& from, const Urn& to) const { return inputs_.count({from, to}) > 0; }
  // The keys, each after all that it refers to or names in its options.
  std::vector<StatePtr> InOrder() const;

 private:
  struct Candidate {
    StatePtr state;
    std::string property;
    bool secret = false;
  };
  void Link(const Urn& from, const Urn& to) { links_[from].insert(to); }
  // All that is linked to these, however far, and they themselves: each after what it is linked to.
  std::vector<Urn> LinkedTo(const std::vector<Urn>& urns) const;
  const Candidate* Choose(const State& from, const std::string& property, const std::string& text) const;

  std::vector<StatePtr> states_;
  std::map<Urn, StatePtr> by_urn_;
  std::multimap<std::string, Candidate> values_;
  std::map<Urn, std::set<Urn>> links_;    // all, options among them
  std::set<std::pair<Urn, Urn>> inputs_;  // those that inputs make
};

}  // namespace kingpost::codegen
