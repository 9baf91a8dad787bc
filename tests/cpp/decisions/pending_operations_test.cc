// SPDX-License-Identifier: Apache-2.0
// Checks what a run does with the pending operations of an earlier one.
#include "decisions/pending_operations.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::pending_operations_test {

using namespace plan_test;
using namespace decisions;

PendingOperation Begun(OperationType type, State resource) { return {Share(std::move(resource)), type}; }

TEST_CASE("the warning counts and names the interrupted operations, with the remedies") {
  CHECK(InterruptedText({}).empty());
  const std::string text =
      InterruptedText({Begun(OperationType::kCreating, StateOf("a")), Begun(OperationType::kDeleting, StateOf("b"))});
  CHECK(text.rfind("Attempting to deploy or update resources with 2 pending operations", 0) == 0);
  CHECK(text.find("  * " + UrnOf("a").str() + ", interrupted while creating\n") != std::string::npos);
  CHECK(text.find("  * " + UrnOf("b").str() + ", interrupted while deleting\n") != std::string::npos);
  CHECK(text.find("--import-pending-creates") != std::string::npos);
}

TEST_CASE("only pending creates are kept, until the user adopts or clears them") {
  Snapshot base;
  base.pending_operations = {Begun(OperationType::kCreating, StateOf("a")),
                             Begun(OperationType::kCreating, StateOf("b")),
                             Begun(OperationType::kDeleting, StateOf("c"))};
  for (const PendingOperation& one : base.pending_operations) {
    CHECK(IsKeptPending(one) == (one.type == OperationType::kCreating));
  }
  std::vector<Urn> unknown;
  OperationOptions options;
  const auto nothing = ResolvePendingCreates(base, options, &unknown);
  REQUIRE(nothing.ok());
  CHECK(*nothing == nullptr);
  options.import_pending_creates = {{UrnOf("a"), "x"}, {UrnOf("c"), "y"}};
  const auto adopted = ResolvePendingCreates(base, options, &unknown);
  REQUIRE(adopted.ok());
  CHECK(unknown == std::vector<Urn>{UrnOf("c")});
  REQUIRE((*adopted)->resources.size() == 1);
  CHECK((*adopted)->resources[0]->id == "x");
  CHECK((*adopted)->pending_operations.size() == 2);
  options.import_pending_creates = {{UrnOf("a"), "x"}};
  options.clear_pending_creates = true;
  const auto cleared = ResolvePendingCreates(base, options, &unknown);
  REQUIRE((*cleared)->pending_operations.size() == 1);
  CHECK((*cleared)->pending_operations[0].type == OperationType::kDeleting);
  OperationOptions one;
  one.cleared_pending_creates = {UrnOf("b")};
  const auto without_b = ResolvePendingCreates(base, one, &unknown);
  REQUIRE((*without_b)->pending_operations.size() == 2);
  CHECK((*without_b)->pending_operations[0].resource->urn == UrnOf("a"));
}

TEST_CASE("an interrupted create that a later run has recorded with the ID adopts nothing, and is over") {
  State recorded = StateOf("a");
  recorded.id = "x";
  Snapshot base;
  base.resources = {Share(recorded)};
  base.pending_operations = {Begun(OperationType::kCreating, StateOf("a"))};
  OperationOptions options;
  options.import_pending_creates = {{UrnOf("a"), "x"}};
  std::vector<Urn> unknown;
  const auto resolved = ResolvePendingCreates(base, options, &unknown);
  REQUIRE((*resolved)->resources.size() == 1);
  CHECK_FALSE((*resolved)->resources[0]->pending_delete);
  CHECK((*resolved)->pending_operations.empty());
}

TEST_CASE("an adopted create takes the place of the resource that it was to replace") {
  State old_state = StateOf("a"), gone = StateOf("a"), old_side = StateOf("a");
  gone.pending_replacement = true;
  old_side.pending_delete = true;
  const auto resolve = [](const State& recorded) {
    Snapshot base;
    base.resources = {Share(recorded)};
    base.pending_operations = {Begun(OperationType::kCreating, StateOf("a"))};
    std::vector<Urn> unknown;
    OperationOptions options;
    options.import_pending_creates = {{UrnOf("a"), "x"}};
    return (*ResolvePendingCreates(base, options, &unknown))->resources;
  };
  CHECK(resolve(old_state).size() == 2);
  CHECK(resolve(old_state)[0]->pending_delete);
  CHECK(resolve(old_side).size() == 2);
  REQUIRE(resolve(gone).size() == 1);
  CHECK(resolve(gone)[0]->id == "x");
}

TEST_CASE("an unfinished delete puts the resource with its type and ID in doubt, if the record still has it") {
  const auto in_doubt = [](auto change, OperationType type = OperationType::kDeleting) {
    State state = StateOf("renamed");
    state.id = "a-id";
    change(&state);
    Snapshot snapshot;
    snapshot.resources = {Share(StateOf("other")), Share(state)};
    snapshot.pending_operations = {Begun(type, StateOf("a"))};
    return DeletesInDoubt(snapshot);
  };
  CHECK(in_doubt([](State*) {}) == std::vector<size_t>{1});
  CHECK(in_doubt([](State*) {}, OperationType::kUpdating).empty());
  CHECK(in_doubt([](State* state) { state->id = "b-id"; }).empty());
  CHECK(in_doubt([](State* state) { state->type = "pkg:m:Other"; }).empty());
  CHECK(in_doubt([](State* state) { state->custom = false; }).empty());
  CHECK(in_doubt([](State* state) { state->external = true; }).empty());
  CHECK(in_doubt([](State* state) { state->view_of = UrnOf("owner"); }).empty());
  CHECK(in_doubt([](State* state) { state->pending_delete = true; }).empty());
  CHECK(in_doubt([](State* state) { state->pending_replacement = true; }).empty());
  State state = StateOf("a");
  CHECK(IsStillInDoubt(state));
  state.pending_delete = true;
  CHECK_FALSE(IsStillInDoubt(state));
  state.pending_delete = false;
  state.pending_replacement = true;
  CHECK_FALSE(IsStillInDoubt(state));
}

}  // namespace kingpost::pending_operations_test
