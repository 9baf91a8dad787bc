// SPDX-License-Identifier: Apache-2.0
// The recording: what a step changes in the record, as journal entries. Owns the replayed state of the stack while
// an operation runs, and knows where each published state stands in it. Engine thread only.
//
// Every entry is applied to the replay in memory at once, and sent to the journal. An unchanged resource is applied
// but not sent (row 7.14), unless a later entry refers to it: then it is sent first. The snapshot of the end has it.
//
// A preview has neither replay nor journal: every call succeeds and does nothing. That of an import has a replay.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "decisions/migration.h"
#include "decisions/step.h"
#include "journal/replay.h"
#include "kingpost/engine.h"

namespace kingpost::engine {

class Recording {
 public:
  // `recorder` may be null: then only the replay in memory is kept. `enabled` is false in previews, but for imports.
  Recording(bool enabled, Recorder* recorder, const std::shared_ptr<const Snapshot>& base);

  // Before a step's effect. Answers when the intent is durable; the number names the operation in End.
  Task<Result<int64_t>> Begin(decisions::StepPtr step);
  // After it. `published` is the step's new state as it is from now on (null if it left none); `happened` is false
  // if the step failed without effect.
  Task<Status> End(decisions::StepPtr step, int64_t operation, StatePtr published, bool happened);
  // A recorded state got new outputs.
  Task<Status> Outputs(StatePtr before, StatePtr after);
  // A refresh before or without the program: base states changed in place; `after` null: gone.
  Task<Status> Refreshed(StatePtr before, StatePtr after, int64_t operation);
  // The base is what the refresh left.
  Task<Status> RebuildBase(const std::vector<StatePtr>& base);
  // A new base, before anything else.
  Task<Status> WriteBase(std::shared_ptr<const Snapshot> base);
  Task<Status> Extension(std::string ref, std::string json);
  // States of the base are replaced. Nothing has changed unless it answers well; then it is durable.
  Task<Status> Migrate(const decisions::Migration& migration);

  bool enabled() const { return enabled_; }
  bool dirty() const { return dirty_; }  // the record is no longer the base
  Snapshot Materialize() const { return replay_->Materialize(); }
  const Replayer& replay() const { return *replay_; }

 private:
  struct Location {
    int64_t old_index = -1;
    int64_t operation = 0;
  };
  // The success of a step that changed nothing.
  struct Elided {
    int64_t remove_old = -1;
    StatePtr state;
  };

  std::vector<StateMigrationEntry::Rewritten> RewrittenSecrets(const decisions::Migration& migration) const;
  void Reindex(const decisions::Migration& migration);
  void IndexBase(const std::vector<StatePtr>& resources);
  Location Find(const StatePtr& state) const;
  Task<Status> Send(JournalEntry entry);
  Task<Status> FlushElided(int64_t operation);
  JournalEntry SuccessEntry(const decisions::Step& step, int64_t operation, const StatePtr& published) const;

  bool enabled_;
  Recorder* recorder_;
  std::unique_ptr<Replayer> replay_;
  std::unordered_map<const State*, Location> locations_;
  std::vector<StatePtr> kept_;                  // keeps the keys of locations_ alive
  std::unordered_map<int64_t, Elided> elided_;  // by operation
  std::unordered_set<std::string> extensions_;  // by reference: those that this run has recorded
  int64_t next_operation_ = 1;
  bool dirty_ = false;
};

}  // namespace kingpost::engine
