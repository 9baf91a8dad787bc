// SPDX-License-Identifier: Apache-2.0
// Checks for which deletes the engine calls the provider, for every combination of the facts.
#include "decisions/delete_call.h"

#include <catch2/catch.hpp>

#include "decisions/go_along.h"
#include "decisions/make_state.h"

namespace kingpost::delete_call_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("a provider deletes a resource unless it is a component, external, retained or deleted with another") {
  for (int facts = 0; facts < 64; ++facts) {
    const bool component = facts & 1, external = facts & 2, retained = facts & 4, with = facts & 8;
    const bool preview = facts & 16, gone = facts & 32;
    State state = StateOf("a");
    state.custom = !component;
    state.external = external;
    state.retain_on_delete = retained;
    state.deleted_with = UrnOf("owner");
    Rows rows;
    if (with) rows.Delete(UrnOf("owner"));
    const StatePtr recorded = Share(state);
    const StepPtr step = gone ? RemovePendingReplace(recorded) : DeleteReplaced(recorded, AfterStep::kSuperseded);
    const DeleteCall call = DeleteCallFor(*step, preview, rows);
    INFO("facts " << facts);
    CHECK((call == DeleteCall::kCalled) == (facts == 0));
    CHECK((call == DeleteCall::kAlreadyDeleted) == gone);
    CHECK((call == DeleteCall::kPreviewed) == (preview && !gone));
    CHECK(NeedsProviderForDelete(*step) == !gone);
  }
}

TEST_CASE("each reason to delete without a call has its own value") {
  Rows rows;
  rows.Delete(UrnOf("owner"));
  const auto call = [&rows](auto change) {
    State state = StateOf("a");
    change(&state);
    return DeleteCallFor(*Delete(Share(std::move(state))), false, rows);
  };
  CHECK(call([](State*) {}) == DeleteCall::kCalled);
  CHECK(call([](State* state) { state->custom = false; }) == DeleteCall::kComponent);
  CHECK(call([](State* state) { state->external = true; }) == DeleteCall::kOnlyRead);
  CHECK(call([](State* state) { state->retain_on_delete = true; }) == DeleteCall::kRetained);
  CHECK(call([](State* state) { state->deleted_with = UrnOf("owner"); }) == DeleteCall::kDeletedWithOther);
  CHECK(call([](State* state) { state->deleted_with = UrnOf("another"); }) == DeleteCall::kCalled);
  CHECK(call([](State* state) { state->pending_replacement = true; }) == DeleteCall::kAlreadyDeleted);
  CHECK(DeleteCallFor(*RemovePendingReplace(Share(StateOf("a"))), false, rows) == DeleteCall::kAlreadyDeleted);
}

TEST_CASE("replaceWith counts before deletedWith, and both only for resources that this run replaces") {
  Rows rows;
  for (const char* name : {"one", "two"}) rows.Decide(UrnOf(name), RowOutcome::kReplaced, Because(Rule::kTainted));
  rows.Decide(UrnOf("updated"), RowOutcome::kUpdated, Because(Rule::kInputsChanged));
  const auto along = [&rows](std::vector<Urn> replace_with, const char* deleted_with) {
    State draft = StateOf("a");
    draft.replace_with = std::move(replace_with);
    if (*deleted_with) draft.deleted_with = UrnOf(deleted_with);
    const auto found = FindLinkedReplacement(draft, rows);
    return found ? found->key + " " + std::string(found->because->by.name()) : std::string("no");
  };
  CHECK(along({}, "") == "no");
  CHECK(along({UrnOf("updated"), UrnOf("unseen")}, "updated") == "no");
  CHECK(along({}, "one") == "deletedWith one");
  CHECK(along({UrnOf("updated"), UrnOf("two")}, "one") == "replaceWith two");
  State draft = StateOf("a");
  draft.parent = UrnOf("one");
  draft.dependencies = {UrnOf("two")};
  CHECK_FALSE(FindLinkedReplacement(draft, rows));
}

TEST_CASE("a resource is deleted with its provider, or with the resource named in deletedWith") {
  const Urn provider = UrnOf("p", "pulumi:providers:pkg");
  State state = StateOf("a");
  state.provider = provider.str() + "::p-id";
  state.deleted_with = UrnOf("owner");
  state.parent = UrnOf("parent");
  CHECK_FALSE(FindForcedDelete(state, {}));
  CHECK_FALSE(FindForcedDelete(state, {UrnOf("parent")}));
  CHECK(FindForcedDelete(state, {UrnOf("owner")})->rule == Rule::kLinkedToReplaced);
  CHECK(FindForcedDelete(state, {UrnOf("owner")})->by == UrnOf("owner"));
  CHECK(FindForcedDelete(state, {UrnOf("owner"), provider})->rule == Rule::kProviderCondemned);
  CHECK(FindForcedDelete(state, {provider})->by == provider);
}

}  // namespace kingpost::delete_call_test
