// SPDX-License-Identifier: Apache-2.0
// What is known of every resource while one operation runs. Owned by the deployment; engine thread only.
//
// The base is what the last operation recorded (after a refresh: what the refresh left). Base states are never
// changed; that one has been condemned or deleted in this run is noted beside it.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/loop.h"
#include "kingpost/engine.h"
#include "model/dependency_graph.h"
#include "plan/step.h"
#include "plan/targets.h"

namespace kingpost::engine {

// What happened to a URN in this run; a set of bits.
enum Progress : unsigned {
  kSeen = 1 << 0,  // a registration or a read has claimed the URN
  kRead = 1 << 1,
  kDeleted = 1 << 2,
  kReplaced = 1 << 3,
  kUpdated = 1 << 4,
  kCreated = 1 << 5,
  kImported = 1 << 6,
  kUnchanged = 1 << 7,
  kRefreshed = 1 << 8,
  kSkippedCreate = 1 << 9,
};

class RunState {
 public:
  RunState(const Operation& operation);

  // ---- the base
  const std::vector<StatePtr>& base() const { return base_; }
  void SetBase(std::vector<StatePtr> resources);
  StatePtr Old(const Urn& urn) const;                         // the live one, or null
  const std::vector<StatePtr>& AllOld(const Urn& urn) const;  // also those that wait to be deleted
  const std::vector<StatePtr>& OldViews(const Urn& owner) const;
  const std::unordered_map<Urn, StatePtr>& olds() const { return olds_; }
  const DependencyGraph& graph() const;                      // over the base; made when first asked for
  StatePtr OldProvider(const ProviderReference& ref) const;  // by URN and ID, also one that waits for its delete

  // ---- notes on base states
  void CondemnLater(const StatePtr& state) { pending_delete_.insert(state.get()); }
  bool WaitsForDelete(const StatePtr& state) const {
    return state->pending_delete || pending_delete_.count(state.get()) > 0;
  }
  void MarkPendingReplacement(const StatePtr& state) { pending_replacement_.insert(state.get()); }
  bool WaitsForReplacement(const StatePtr& state) const {
    return state->pending_replacement || pending_replacement_.count(state.get()) > 0;
  }
  // An earlier run has begun to delete it, and nobody has seen the end: it is read before anything relies on it.
  void DoubtDeletes(const Snapshot& recorded);
  bool IsInDoubt(const StatePtr& state) const { return in_doubt_.count(state.get()) > 0; }
  // Deleted before its dependency is replaced (row 4.2), or about to be. The event comes when the chain that does it
  // has ended; a delete that did not happen takes its entry away before.
  std::unordered_map<const State*, std::shared_ptr<Event>> deleted_early;

  // ---- progress
  void Mark(const Urn& urn, unsigned bits);
  void Unmark(const Urn& urn, unsigned bits);
  bool Is(const Urn& urn, unsigned any_of) const;
  // Steps were made for it (creates, sames, updates, deletes, replaces, reads), under this name or a later one.
  bool HasStep(const Urn& urn) const { return stepped_.count(urn) > 0; }
  const std::unordered_set<Urn>& stepped() const { return stepped_; }
  // The old resource with this URN lives on, under this name or another.
  bool IsOperatedOn(const Urn& urn) const;
  // Its registration has read it, or is about to, and records it by itself.
  bool IsBeingRefreshed(const Urn& urn) const { return Is(NowCalled(urn), kRefreshed); }

  // ---- aliases
  std::unordered_map<Urn, Urn> aliased;   // old URN -> the URN that took its place
  std::unordered_map<Urn, Urn> alias_of;  // URN of this run -> the old URN it was found under

  // ---- results of this run
  std::unordered_map<Urn, std::shared_ptr<Goal>> goals;
  std::unordered_map<Urn, StatePtr> news;  // custom and component resources as they are now
  std::vector<Urn> news_order;
  std::unordered_map<Urn, StatePtr> reads;
  std::unordered_map<Urn, StatePtr> providers;  // provider resources of this run, also under their aliases
  void PublishNew(const StatePtr& state);
  void ForgetNews();
  // Recorded resources that name the URN in deletedWith or replaceWith, and that this run has not handled yet.
  std::vector<StatePtr> NamedBy(const Urn& urn) const;
  std::vector<StatePtr> to_delete;                            // destroy --run-program: seen, to be deleted at the end
  std::unordered_map<const State*, StatePtr> refreshed;       // base state -> what an inline refresh found
  std::unordered_map<const State*, StatePtr> refreshed_from;  // and back
  // The base state that stands for a state in the graph: itself, unless it was refreshed.
  StatePtr Original(const StatePtr& state) const {
    auto found = refreshed_from.find(state.get());
    return found == refreshed_from.end() ? state : found->second;
  }
  std::unordered_map<Urn, std::vector<std::string>> dependent_replace_keys;
  // Registered and answered in full by RegisterResourceOutputs later: the step that stands for the URN.
  std::unordered_map<Urn, plan::StepPtr> awaiting_outputs;
  bool saw_error = false;

  // ---- targets
  plan::UrnPatterns targets, excludes, replaces;
  plan::UrnPatterns targets_actual, excludes_actual;  // grown by dependents
  bool IsIncluded(const State& state) const;
  bool IsTargeted(const State& state) const;
  bool IsExcluded(const State& state) const;
  // Forced by --replace, --target-replace or a taint.
  bool IsForcedReplace(const Urn& urn, const StatePtr& old_state) const;

  Urn MakeUrn(const Urn& parent, const std::string& type, const std::string& name) const;
  Urn root_urn() const;

 private:
  const Urn& NowCalled(const Urn& urn) const;
  void IndexNames(const StatePtr& state);

  const Operation& operation_;
  std::vector<StatePtr> base_;
  std::unordered_map<Urn, StatePtr> olds_;
  std::unordered_map<Urn, std::vector<StatePtr>> all_olds_;
  std::unordered_map<Urn, std::vector<StatePtr>> old_views_;
  mutable std::unique_ptr<DependencyGraph> graph_;
  std::unordered_set<const State*> pending_delete_;
  std::unordered_set<const State*> pending_replacement_;
  std::unordered_set<const State*> in_doubt_;
  std::unordered_map<Urn, unsigned> progress_;
  std::unordered_set<Urn> stepped_;
  std::unordered_map<Urn, std::vector<StatePtr>> named_by_;  // of the base: who names the key
};

}  // namespace kingpost::engine
