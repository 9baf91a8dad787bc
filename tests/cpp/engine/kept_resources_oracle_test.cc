// SPDX-License-Identifier: Apache-2.0
// Checks destroys of every small graph with protected or retained resources (rows 3.43, 4.9, 4.10). They run from the
// record and with the program, with the flags about protection.
#include <catch2/catch.hpp>

#include "engine/graph_sets.h"

namespace kingpost::kept_resources_oracle_test {

using namespace engine_test;

enum class Flag { kNone, kIgnoreProtect, kExcludeProtected };

RunSpec DestroyGuarded(const SmallGraph& graph, bool with_program, Set guarded) {
  return Destroy(graph, with_program, [guarded](int i, bool* protect, bool*) { *protect = Has(guarded, i); });
}

TEST_CASE("a protected resource stays with its dependencies and fails the destroy, in all small graphs") {
  const int graphs = ForEachSmallGraph({Edge::kParent, Edge::kDependency}, [](const SmallGraph& graph) {
    for (Set guarded = 1; guarded <= Everything(graph); ++guarded) {
      for (const Flag flag : {Flag::kNone, Flag::kIgnoreProtect, Flag::kExcludeProtected}) {
        if (graph.size == 4 && guarded % 3 != static_cast<Set>(flag)) continue;
        const bool with_program = graph.size == 3 && (guarded + static_cast<int>(flag)) % 2 == 1;
        RunSpec spec = DestroyGuarded(graph, with_program, guarded);
        spec.options.ignore_protect = flag == Flag::kIgnoreProtect;
        spec.options.exclude_protected = flag == Flag::kExcludeProtected;
        const Set kept = flag == Flag::kIgnoreProtect ? 0 : WithDependencies(graph, guarded);
        const Set deleted = Everything(graph) & ~kept;
        const RunOutcome outcome = RunSmall(spec);
        // As in Pulumi, a resource that is deleted with a protected one counts as gone with it.
        const Set condemned = flag == Flag::kExcludeProtected ? deleted : Everything(graph);
        std::string failure = DestroyFailure(graph, outcome, {condemned, deleted, with_program});
        if (outcome.result.status.ok() != (flag != Flag::kNone)) failure = "status: " + outcome.errors;
        for (int i = 0; i < graph.size && flag == Flag::kNone; ++i) {
          const bool needed = Has(WithDependencies(graph, guarded & ~(1u << i)), i);
          const bool named =
              outcome.errors.find("\"" + UrnIn(graph, i).str() + "\" cannot be deleted") != std::string::npos;
          if (Has(guarded, i) && !needed && !named) failure = "nothing is said of " + NameOf(i);
        }
        if (failure.empty()) continue;
        FAIL(graph.Text() << ", protected " << guarded << ", flag " << static_cast<int>(flag) << ", program "
                          << with_program << ": " << failure);
      }
    }
  });
  CHECK(graphs > 500);
}

TEST_CASE("a destroy with targets keeps protected resources as any other destroy does, in all small graphs") {
  ForEachSmallGraph({}, [](const SmallGraph& graph) {
    for (Set targets = 1; targets <= Everything(graph); targets *= 2) {
      for (Set guarded = 1; guarded <= Everything(graph); ++guarded) {
        const bool with_program = (targets + guarded) % 2 == 1;
        RunSpec spec = DestroyGuarded(graph, with_program, guarded);
        spec.options.targets = UrnsOf(graph, targets);
        spec.options.target_dependents = true;
        const Set all = WithDependents(graph, targets);
        const RunOutcome outcome = RunSmall(spec);
        std::string failure =
            DestroyFailure(graph, outcome, {all, all & ~WithDependencies(graph, all & guarded), with_program});
        if (outcome.result.status.ok() != ((all & guarded) == 0)) failure = "status: " + outcome.errors;
        if (!failure.empty())
          FAIL(graph.Text() << ", targets " << targets << ", protected " << guarded << ": " << failure);
      }
    }
  });
}

TEST_CASE("a retained resource is removed from the record without a call, in all small graphs") {
  ForEachSmallGraph({Edge::kParent, Edge::kDependency}, [](const SmallGraph& graph) {
    for (Set retained = 1; retained <= Everything(graph); ++retained) {
      const bool with_program = graph.size == 3 && retained % 2 == 1;
      const RunSpec spec =
          Destroy(graph, with_program, [retained](int i, bool*, bool* retain) { *retain = Has(retained, i); });
      const RunOutcome outcome = RunSmall(spec);
      // As in Pulumi, a resource that is deleted with a retained one counts as gone with it.
      std::string failure =
          DestroyFailure(graph, outcome, {Everything(graph), Everything(graph), with_program, retained});
      if (!outcome.result.status.ok()) failure = "failed: " + outcome.errors;
      if (!failure.empty())
        FAIL(graph.Text() << ", retained " << retained << ", program " << with_program << ": " << failure);
    }
  });
}

}  // namespace kingpost::kept_resources_oracle_test
