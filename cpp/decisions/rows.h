// SPDX-License-Identifier: Apache-2.0
// The data of every resource while one operation runs: one Row for each, under all its names.
//
//   RecordedState   one recorded state of a resource, the live one or one that waits for its deletion, and its outcome
//   Row             its recorded states, what was decided and why, and how it stands now
//   Rows            all of them, and the only writer. Everybody else asks questions
//
// The base is what the last operation recorded (after a refresh: what the refresh left). Base states are never changed.
// A transition asserts what it needs: an illegal one is a defect of ours and ends the process. Pure; the engine owns
// the table on its thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "decisions/reason.h"
#include "decisions/step.h"
#include "decisions/successors.h"
#include "model/dependency_graph.h"
#include "model/snapshot.h"

namespace kingpost::decisions {

struct Migration;
class Renewal;

class RecordedState {
 public:
  explicit RecordedState(StatePtr state) : state_(std::move(state)) {}

  const StatePtr& state() const { return state_; }  // as it stands in the base, and in its graph
  // The state that an inline refresh found; null if the resource is gone.
  const StatePtr& current() const { return refreshed_ ? *refreshed_ : state_; }
  bool is_gone() const { return refreshed_ && !*refreshed_; }
  bool waits_for_delete() const { return condemned_ || state_->pending_delete; }
  bool waits_for_replacement() const { return awaits_replacement_ || state_->pending_replacement; }
  // An earlier run has begun to delete it, and nobody has seen the end: it is read before anything relies on it.
  bool in_doubt() const { return in_doubt_; }
  // Deleted before what it depends on is replaced (row 4.2), or about to be.
  bool is_deleted_first() const { return deleted_first_; }
  const std::vector<std::string>& keys() const { return keys_; }  // that had it go first
  const ReasonPtr& because() const { return because_; }           // why it goes

 private:
  friend class Renewal;
  friend class Rows;
  StatePtr state_;
  std::optional<StatePtr> refreshed_;
  bool condemned_ = false, awaits_replacement_ = false, in_doubt_ = false, deleted_first_ = false;
  std::vector<std::string> keys_;
  ReasonPtr because_;
};

// The decision of its registration, its read, or one of its dependents.
enum class RowOutcome { kUndecided, kUnchanged, kCreated, kUpdated, kReplaced, kRead };

class Row {
 public:
  const Urn& urn() const { return urn_; }        // what it is called now
  const Urn& former() const { return former_; }  // the recorded name it was found under, if another
  const std::vector<RecordedState>& sides() const { return sides_; }
  const StatePtr& live() const { return live_; }  // recorded, and not waiting for its deletion; or null
  // As the program asked for it, which no record has.
  std::optional<bool> delete_before_replace() const { return delete_before_replace_; }
  RowOutcome outcome() const { return outcome_; }
  const ReasonPtr& because() const { return because_; }
  bool is_claimed() const { return claimed_; }  // by a registration or a read
  // The state that this run has made of it so far, or null. What was only read is not the program's.
  const StatePtr& now() const { return now_; }
  bool was_read() const { return was_read_; }
  // Its create was left out: nothing is known of it.
  bool is_skipped() const { return skipped_; }
  // A step of it failed or awaits something, or it was skipped for the sake of another that did.
  bool has_failed() const { return failed_; }

  // Steps were made for it.
  bool has_step() const { return outcome_ != RowOutcome::kUndecided || deleted_; }
  // The recorded resource lives on, under this name or another.
  bool is_operated_on() const {
    return refreshing_ || (outcome_ != RowOutcome::kUndecided && outcome_ != RowOutcome::kCreated);
  }

 private:
  friend class Renewal;
  friend class Rows;
  Urn urn_, former_;
  std::vector<RecordedState> sides_;
  StatePtr live_;
  std::vector<StatePtr> views_, named_by_;
  RowOutcome outcome_ = RowOutcome::kUndecided;
  ReasonPtr because_;
  std::optional<bool> delete_before_replace_;
  bool claimed_ = false, former_claimed_ = false, kept_ = false, refreshing_ = false, skipped_ = false;
  bool deleted_ = false, failed_ = false;
  StatePtr now_;
  bool was_read_ = false;
  StepPtr awaiting_outputs_;
};

class Rows {
 public:
  // ---- the base
  void SetBase(std::vector<StatePtr> resources);
  void DoubtDeletes(const Snapshot& recorded);
  const std::vector<StatePtr>& base() const { return base_; }
  const DependencyGraph& graph() const;                      // over the base; made when first asked for
  StatePtr Old(const Urn& urn) const;                        // the live one recorded under this name, or null
  std::vector<StatePtr> AllOld(const Urn& urn) const;        // also those that wait to be deleted
  StatePtr OldProvider(const ProviderReference& ref) const;  // by name and ID, also one that waits for its delete
  const std::vector<StatePtr>& OldViews(const Urn& owner) const;
  // Recorded resources that name the URN in deletedWith or replaceWith, and that this run has not handled yet.
  std::vector<StatePtr> NamedBy(const Urn& urn) const;

  // ---- questions about recorded states; a state of this run stands for what it replaced in the base
  const RecordedState* RecordedStateOf(const StatePtr& state) const;
  bool WaitsForDelete(const StatePtr& state) const;
  bool WaitsForReplacement(const StatePtr& state) const;
  bool IsInDoubt(const StatePtr& state) const;
  bool IsDeletedFirst(const StatePtr& state) const;
  StatePtr Original(const StatePtr& state) const;  // the node in the graph

  // ---- questions about names, old ones too
  const Row* Find(const Urn& urn) const;
  const Urn& CurrentUrn(const Urn& urn) const;
  bool IsRenamed(const Urn& urn) const;  // a former name of something that has another now
  bool IsKnown(const Urn& urn) const;    // claimed under this name, or kept
  bool IsClaimed(const Urn& urn) const;  // under this name
  bool HasStep(const Urn& urn) const;
  bool IsOperatedOn(const Urn& urn) const;
  bool IsBeingRefreshed(const Urn& urn) const;
  bool IsUnchanged(const Urn& urn) const;
  bool IsReplaced(const Urn& urn) const;
  bool IsDeleted(const Urn& urn) const;
  bool IsSkipped(const Urn& urn) const;
  bool HasFailed(const Urn& urn) const;
  bool AnyFailed() const { return any_failed_; }
  StatePtr Now(const Urn& urn) const;         // made, kept or read by this run
  StatePtr Registered(const Urn& urn) const;  // the same, without what was only read
  ReasonPtr WhyDecided(const Urn& urn) const;
  // Rows of resources that this run left in the record, in the order in which they came.
  std::vector<const Row*> Published() const;
  // The states that this run has made and still goes by: what is published, and what waits for its outputs.
  std::vector<StatePtr> NewStates() const;
  // The successors of resources that are gone, for references to these.
  const PastMigrations& migrations() const { return migrations_; }
  // The registrations of a destroy's program, in order: deleted at the end.
  const std::vector<Draft>& to_delete() const { return to_delete_; }

  // ---- transitions
  bool Claim(const Urn& urn);  // false if the name is claimed already
  // The resource that was recorded as `former` goes on as `urn`. The first one that says so has it.
  void Continue(const Urn& urn, const Urn& former);
  void NoteDeleteBeforeReplace(const Urn& urn, std::optional<bool> wanted);  // as its program asks
  void BeginRefresh(const Urn& urn);
  void EndRefresh(const StatePtr& old_state, const StatePtr& found);
  void Decide(const Urn& urn, RowOutcome outcome, ReasonPtr because);
  void Keep(const Urn& urn,
            ReasonPtr because);  // for the sake of what stands on it, or because nobody wants it changed
  void SkipCreate(const Urn& urn);
  void ClearSkipped(const Urn& urn);  // that something needs it; once is enough
  void Fail(const Urn& urn);
  // Goes before what it depends on is replaced. `UndoDeletedFirst` takes that back.
  void MarkDeletedFirst(const StatePtr& state, std::vector<std::string> keys, ReasonPtr because);
  void UndoDeletedFirst(const StatePtr& state);
  void Delete(const Urn& urn);  // under this name; `UndoDelete` takes it back
  void UndoDelete(const Urn& urn);
  void MarkPendingDelete(const StatePtr& state);  // another resource has replaced it
  void MarkPendingReplacement(const StatePtr& state);
  void Publish(const StatePtr& state, bool was_read);
  void ForgetPublished();
  void DeleteAtEnd(Draft registered) { to_delete_.push_back(std::move(registered)); }
  // The step that stands for a URN until its outputs are registered.
  void AwaitOutputs(const StepPtr& step);
  StepPtr TakeAwaiting(const Urn& urn);  // null if none does
  // The base is another one from here on. What is known of those that stay, stays.
  void Migrate(const Migration& migration);

 private:
  Row& At(const Urn& urn);
  RecordedState& NoteOn(const StatePtr& state);
  void Index(const StatePtr& state);
  void IndexBase(std::vector<StatePtr> resources);
  std::vector<RecordedState> TakeBase();  // all that the rows know by the base
  void PutBack(RecordedState side);
  std::vector<std::shared_ptr<Row>> AllRows() const;  // each once

  std::vector<StatePtr> base_;
  mutable std::unique_ptr<DependencyGraph> graph_;
  std::unordered_map<Urn, std::shared_ptr<Row>> rows_;  // a renamed one under both names
  std::vector<std::shared_ptr<Row>> published_;
  std::vector<Draft> to_delete_;
  bool any_failed_ = false;
  PastMigrations migrations_;
};

}  // namespace kingpost::decisions
