// SPDX-License-Identifier: Apache-2.0
// The dependents that have to be deleted before a resource is replaced, because they cannot exist without it (row
// 4.2). A machine that asks for one diff at a time and is given its answer:
//
//   Condemning condemning(rows, root);
//   while (auto question = condemning.Next()) { ... condemning.Answer(diff of question) ... }
//
// Pure; the rows must not change what they say of the base meanwhile.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "decisions/decision.h"
#include "decisions/rows.h"

namespace kingpost::decisions {

struct Condemned {
  StatePtr state;
  std::vector<std::string> keys;  // that say why, if its provider was asked
  ReasonPtr because;
};

class Condemning {
 public:
  // `cause` is why `root` is replaced, for the reasons of what goes with it; may be null.
  Condemning(const Rows& rows, const StatePtr& root, ReasonPtr cause);

  struct Question {
    StatePtr dependent;                     // its provider has to be configured, whatever the answer
    std::optional<PropertyMap> new_inputs;  // null: there is nothing to ask
  };
  std::optional<Question> Next();
  // To the last question that had inputs. Fails for property paths that cannot be read.
  Status Answer(DiffResponse diff);

  // Dependents last. `AddNamed` adds who names the root in replaceWith or deletedWith, and puts all in list order
  // again: they may depend on others that go, or those on them.
  void AddNamed();
  const std::vector<Condemned>& condemned() const { return condemned_; }

 private:
  void Condemn(const StatePtr& dependent, std::vector<std::string> keys, Rule rule, Urn by);

  const Rows& rows_;
  StatePtr root_;
  ReasonPtr cause_;
  std::vector<StatePtr> dependents_;
  size_t next_ = 0;
  std::unordered_set<Urn> going_;
  std::vector<Condemned> condemned_;
};

// Dependents of `root` that other replacements have condemned already: they are gone before it goes.
std::vector<StatePtr> AlreadyCondemned(const StatePtr& root, const Rows& rows);

}  // namespace kingpost::decisions
