// SPDX-License-Identifier: Apache-2.0
// Checks resources whose replaced predecessor is still to be deleted (rows 4.1, 4.5, 4.8), in every small graph. The
// tests choose which of them wait, and check what a destroy and an update delete, by which steps and in which order.
#include <catch2/catch.hpp>

#include "engine/graph_sets.h"

namespace kingpost::pending_deletes_oracle_test {

using namespace engine_test;

// One entry of the record: a resource, or its predecessor that waits.
struct Entry {
  int resource;
  bool waits;

  std::string Step() const { return (waits ? "delete-replaced " : "delete ") + NameOf(resource); }
  std::string Id() const { return waits ? "old-" + NameOf(resource) : testing::IdOf(resource); }
};

// The record, in list order: those that wait come after all others, or each after its successor.
struct Waiting {
  const SmallGraph& graph;
  Set waiting;
  bool at_the_end;

  std::vector<Entry> Entries() const {
    std::vector<Entry> entries;
    for (int i = 0; i < graph.size; ++i) {
      entries.push_back({i, false});
      if (!at_the_end && Has(waiting, i)) entries.push_back({i, true});
    }
    for (int i = 0; i < graph.size; ++i) {
      if (at_the_end && Has(waiting, i)) entries.push_back({i, true});
    }
    return entries;
  }
  // The record. Protection of a resource does not keep its predecessor.
  std::vector<StatePtr> Base() const {
    const std::vector<StatePtr> live = Recorded(graph);
    std::vector<StatePtr> base = {live[0]};
    for (const Entry& entry : Entries()) {
      State state = *live[entry.resource + 1];
      state.id = entry.Id();
      state.pending_delete = state.protect = entry.waits;
      base.push_back(std::make_shared<const State>(std::move(state)));
    }
    return base;
  }
};

// x has to go before y: it names y's URN, and y stood there when x was recorded.
bool GoesBefore(const SmallGraph& graph, const std::vector<Entry>& entries, size_t x, size_t y) {
  return y < x && graph.Names(entries[x].resource, entries[y].resource);
}

// x that could not be deleted keeps y. [A', old A, B(A)]: B stands on A' by now, so that old A goes all the same.
bool Keeps(const SmallGraph& graph, const std::vector<Entry>& entries, size_t x, size_t y) {
  return GoesBefore(graph, entries, x, y) && (entries[x].waits || !entries[y].waits);
}

// Says how the run differs from the expected deletes; "" if it deleted these entries in a right order. `condemned` are
// the resources that the run wanted to delete. A state that waits stays as recorded, whatever its successor is like.
std::string Failure(const SmallGraph& graph, const std::vector<Entry>& entries, const std::vector<bool>& deleted,
                    Set condemned, const RunOutcome& outcome, bool with_program = false) {
  std::vector<int> calls(graph.size, 0);
  for (size_t x = 0; x < entries.size(); ++x) {
    const Entry& entry = entries[x];
    if (Count(outcome.ended, entry.Step()) != deleted[x])
      return entry.Step() + (deleted[x] ? " is missing" : " happens");
    bool there = false;
    for (const StatePtr& state : outcome.snapshot.resources) there = there || state->id == entry.Id();
    if (there == deleted[x]) return entry.Id() + (there ? " is still there" : " is gone");
    calls[entry.resource] += deleted[x] && IsCalled(graph, condemned, entry.resource, with_program && !entry.waits);
    for (size_t y = 0; y < x; ++y) {
      if (!deleted[x] || !deleted[y] || !GoesBefore(graph, entries, x, y)) continue;
      if (Position(outcome.ended, entry.Step()) > Position(outcome.steps, entries[y].Step())) {
        return entries[y].Step() + " begins before the end of " + entry.Step();
      }
    }
  }
  for (int i = 0; i < graph.size; ++i) {
    if (Count(outcome.calls, "delete " + NameOf(i)) != calls[i]) return NameOf(i) + ": wrong number of calls";
  }
  return VerifyIntegrity(outcome.snapshot).message();
}

template <class F>
int ForEachRecord(const F& f) {
  int records = 0;
  ForEachSmallGraph({}, [&](const SmallGraph& graph) {
    for (Set waiting = 1; waiting <= Everything(graph); ++waiting) {
      for (const bool at_the_end : {false, true}) {
        ++records;
        f(Waiting{graph, waiting, at_the_end});
      }
    }
  });
  return records;
}

std::string Text(const Waiting& record) {
  return record.graph.Text() + ", waiting " + std::to_string(record.waiting) + (record.at_the_end ? " at the end" : "");
}

RunSpec DestroyOf(const Waiting& record, bool with_program) {
  RunSpec spec = Destroy(record.graph, with_program);
  spec.base = record.Base();
  return spec;
}

TEST_CASE("a destroy deletes pending deletes and live resources, in all small graphs") {
  const int records = ForEachRecord([](const Waiting& record) {
    for (const bool with_program : {false, true}) {
      // The states that the program registers come before all that were recorded.
      const Waiting seen{record.graph, record.waiting, record.at_the_end || with_program};
      const std::vector<Entry> entries = seen.Entries();
      const RunOutcome outcome = RunSmall(DestroyOf(record, with_program));
      std::string failure = Failure(record.graph, entries, std::vector<bool>(entries.size(), true),
                                    Everything(record.graph), outcome, with_program);
      if (!outcome.result.status.ok()) failure = "failed: " + outcome.errors;
      if (!failure.empty()) FAIL(Text(record) << ", program " << with_program << ": " << failure);
    }
  });
  CHECK(records > 4000);
}

TEST_CASE("targets and excludes hold for pending deletes as for live resources, in all small graphs") {
  ForEachRecord([](const Waiting& record) {
    for (Set named = 1; named <= Everything(record.graph); ++named) {
      const bool targets = (named + record.waiting) % 2 == 0;
      if (named % 2 != record.at_the_end) continue;
      RunSpec spec = DestroyOf(record, false);
      (targets ? spec.options.targets : spec.options.excludes) = UrnsOf(record.graph, named);
      spec.options.target_dependents = true;
      const Set all = targets ? WithDependents(record.graph, named)
                              : Everything(record.graph) & ~WithDependencies(record.graph, named);
      const std::vector<Entry> entries = record.Entries();
      std::vector<bool> deleted;
      for (const Entry& entry : entries) deleted.push_back(Has(all, entry.resource));
      const RunOutcome outcome = RunSmall(spec);
      std::string failure = Failure(record.graph, entries, deleted, all, outcome);
      if (!outcome.result.status.ok()) failure = "failed: " + outcome.errors;
      if (!failure.empty()) {
        FAIL(Text(record) << (targets ? ", targets " : ", excludes ") << named << ": " << failure);
      }
    }
  });
}

TEST_CASE("after a failed delete its dependencies stay, pending deletes or not, in all small graphs") {
  ForEachRecord([](const Waiting& record) {
    const SmallGraph& graph = record.graph;
    const std::vector<Entry> entries = record.Entries();
    for (size_t failing = 0; failing < entries.size(); ++failing) {
      if (!IsCalled(graph, Everything(graph), entries[failing].resource)) continue;
      RunSpec spec = DestroyOf(record, false);
      spec.options.continue_on_error = true;
      spec.failing = {"delete " + entries[failing].Id()};
      std::vector<bool> deleted(entries.size(), true);
      deleted[failing] = false;
      for (size_t x = entries.size(); x-- > 0;) {
        for (size_t y = 0; y < x; ++y) {
          if (!deleted[x] && Keeps(graph, entries, x, y)) deleted[y] = false;
        }
      }
      const RunOutcome outcome = RunSmall(spec);
      std::string failure;
      for (size_t x = 0; x < entries.size() && failure.empty(); ++x) {
        const bool there = Count(outcome.ended, entries[x].Step()) == 0;
        if (there == deleted[x]) failure = entries[x].Id() + (there ? " is still there" : " is gone");
      }
      if (failure.empty()) failure = VerifyIntegrity(outcome.snapshot).message();
      if (outcome.result.status.ok()) failure = "succeeds";
      if (!failure.empty()) FAIL(Text(record) << ", " << entries[failing].Id() << " fails: " << failure);
    }
  });
}

TEST_CASE("an update deletes pending deletes and dropped resources, in all small graphs") {
  ForEachRecord([](const Waiting& record) {
    const SmallGraph& graph = record.graph;
    for (Set named = 0; named <= Everything(graph); ++named) {
      const Set dropped = WithDependents(graph, named);
      if (dropped != named || (dropped + record.waiting) % 2 != record.at_the_end) continue;
      RunSpec spec;
      spec.base = record.Base();
      SetProgram(&spec, graph, [dropped](int i, RegisterResourceRequest* request) {
        if (Has(dropped, i)) request->type.clear();
      });
      const std::vector<Entry> entries = record.Entries();
      std::vector<bool> deleted;
      for (const Entry& entry : entries) deleted.push_back(entry.waits || Has(dropped, entry.resource));
      const RunOutcome outcome = RunSmall(spec);
      // As in Pulumi, a resource whose predecessor goes counts as deleted for those that are deleted with it.
      std::string failure = Failure(graph, entries, deleted, dropped | record.waiting, outcome);
      if (!outcome.result.status.ok()) failure = "failed: " + outcome.errors;
      if (!failure.empty()) FAIL(Text(record) << ", dropped " << dropped << ": " << failure);
    }
  });
}

}  // namespace kingpost::pending_deletes_oracle_test
