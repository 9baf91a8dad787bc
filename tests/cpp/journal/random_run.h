// SPDX-License-Identifier: Apache-2.0
// A random base and the entries of a random update of it, as the engine would record them.
#pragma once

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "decisions/migration_place.h"
#include "journal/entry.h"
#include "model/states.h"

namespace kingpost::testing {

struct RandomRun {
  Snapshot base;
  std::vector<JournalEntry> entries;
  std::string names_at_end;  // the names of the resources that the program registered, in order
};

// Resources r0, r1, ...: each depends on some before it. The program wants some of them and some new ones; each
// stays as it is, or is updated or replaced in one of the two ways. The others are deleted, dependents first. Before
// that, a state migration gives some of the base other names: m0, m1, ...
class RandomRunMaker {
 public:
  explicit RandomRunMaker(uint32_t seed) : random_(seed) {}

  RandomRun Make() {
    const int base_size = Pick(8);
    for (int i = 0; i < base_size + 3; ++i) names_.push_back("r" + std::to_string(i));
    for (int i = 0; i < base_size; ++i) base_.push_back(NewState(i));
    for (int i = 0; i < base_size; ++i) places_.push_back(i);
    run_.base = TestSnapshot(base_);

    std::vector<bool> gone(base_size);
    for (int i = 0; i < base_size + 3; ++i) {
      const int other = Pick(base_size + 1);
      if (Pick(4) == 0 && other < base_size && !gone[other]) Migrate(other);
      if (Pick(4) == 0) continue;
      wanted_.push_back(i);
      Register(i, i < base_size ? places_[i] : -1);
      if (i < base_size) gone[i] = true;
      run_.names_at_end += (run_.names_at_end.empty() ? "" : " ") + names_[i];
    }
    for (int i = base_size - 1; i >= 0; --i) {
      if (!gone[i] || replaced_.count(i)) Delete(places_[i]);
    }
    return std::move(run_);
  }

 private:
  int Pick(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }

  // Depends on some of those that exist where it is made: all before it, or those the program wants.
  StatePtr NewState(int number) {
    return TestState(names_[number], [&](State* state) {
      state->id += std::to_string(random_());
      for (int j = 0; j < number; ++j) {
        const bool there = wanted_.empty() ? run_.entries.empty() : std::count(wanted_.begin(), wanted_.end(), j) > 0;
        if (!there || Pick(3) > 0) continue;
        state->dependencies.push_back(TestUrn(names_[j]));
      }
    });
  }

  JournalEntry& Add(EntryKind kind, int64_t operation) {
    JournalEntry entry;
    entry.kind = kind;
    entry.operation_id = operation;
    run_.entries.push_back(entry);
    return run_.entries.back();
  }

  void Begin(int64_t operation, StatePtr state, OperationType type) {
    JournalEntry& entry = Add(EntryKind::kBegin, operation);
    entry.state = std::move(state);
    entry.operation = type;
  }

  void Register(int number, int old_index) {
    const StatePtr state = NewState(number);
    const int kind = old_index < 0 ? 0 : Pick(4);
    if (kind == 3) {  // deleted before it is replaced
      const int64_t deletion = ++operation_;
      Begin(deletion, state, OperationType::kDeleting);
      Add(EntryKind::kSuccess, deletion).pending_replacement_old = old_index;
    }
    const int64_t operation = ++operation_;
    Begin(operation, state, old_index < 0 ? OperationType::kCreating : OperationType::kUpdating);
    if (Pick(6) == 0) {  // fails, and is tried again
      Add(EntryKind::kFailure, operation);
      Begin(operation, state, OperationType::kUpdating);
    }
    JournalEntry& end = Add(EntryKind::kSuccess, operation);
    end.state = state;
    if (kind == 2) {  // created before the old one is deleted
      end.delete_old = old_index;
      replaced_.insert(number);
    } else {
      end.remove_old = old_index;
    }
    if (Pick(4) > 0) return;
    JournalEntry& outputs = Add(EntryKind::kOutputs, ++operation_);
    outputs.state = state;
    outputs.remove_new = operation;
  }

  void Delete(int old_index) {
    const int64_t operation = ++operation_;
    Begin(operation, base_[old_index], OperationType::kDeleting);
    Add(EntryKind::kSuccess, operation).remove_old = old_index;
  }

  void Migrate(int number) {
    State next = *base_[places_[number]];
    names_[number] = "m" + std::to_string(number);
    next.urn = TestUrn(names_[number]);
    StateMigrationEntry migration;
    migration.replaces = {places_[number]};
    migration.result = {std::make_shared<const State>(next)};
    if (next.urn != base_[places_[number]]->urn) migration.successors = {{base_[places_[number]]->urn, next.urn}};
    const decisions::Successors successors(migration.successors, migration.result);
    const auto placed =
        decisions::PlaceResult(base_, {static_cast<size_t>(places_[number])}, migration.result, successors);
    base_.clear();
    const std::vector<int> before = places_;
    for (const decisions::PlacedState& one : *placed) {
      const int place = static_cast<int>(base_.size());
      for (size_t i = 0; i < before.size(); ++i) {
        const bool is_this = one.was ? before[i] == static_cast<int>(*one.was) : static_cast<int>(i) == number;
        if (is_this) places_[i] = place;
      }
      base_.push_back(one.state);
    }
    Add(EntryKind::kStateMigration, 0).migration = std::make_shared<const StateMigrationEntry>(std::move(migration));
  }

  std::mt19937 random_;
  RandomRun run_;
  std::vector<std::string> names_;  // by number
  std::vector<StatePtr> base_;      // as it is now
  std::vector<int> places_;         // of the numbers in it
  std::vector<int> wanted_;
  std::set<int> replaced_;  // numbers
  int64_t operation_ = 0;
};

inline RandomRun MakeRandomRun(uint32_t seed) { return RandomRunMaker(seed).Make(); }

}  // namespace kingpost::testing
