// SPDX-License-Identifier: Apache-2.0
// Checks which changes of an unchanged resource force a write.
#include "decisions/elision.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"
#include "model/resource_fields.h"
#include "support/other_field.h"

namespace kingpost::elision_test {

using namespace plan_test;

using decisions::SameDescription;
using decisions::SameNeedsNoWrite;

State Recorded() {
  State state = StateOf("a");
  state.inputs = {{"x", 1}};
  state.outputs = {{"y", 2}};
  state.dependencies = {UrnOf("b"), UrnOf("c")};
  return state;
}

template <class F>
bool NoWriteAfter(F change) {
  State next = Recorded();
  change(next);
  const bool forward = SameNeedsNoWrite(Recorded(), next);
  CHECK(SameNeedsNoWrite(next, Recorded()) == forward);
  return forward;
}

TEST_CASE("a change of a field that a later run reads forces a write") {
  CHECK_FALSE(NoWriteAfter([](State& s) { s.urn = UrnOf("z"); }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.type = "pkg:m:Other"; }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.custom = false; }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.custom_timeouts.delete_s = 5; }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.custom_timeouts.read_s = 5; }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.retain_on_delete = true; }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.provider = "urn::id"; }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.parent = UrnOf("b"); }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.deleted_with = UrnOf("b"); }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.replace_with = {UrnOf("b")}; }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.protect = true; }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.taint = true; }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.inputs.Set("x", 2); }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.inputs.Set("x", Value::Secret(1)); }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.outputs.Erase("y"); }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.dependencies.pop_back(); }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.dependencies.push_back(UrnOf("b")); }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.property_dependencies["x"] = {UrnOf("b")}; }));
  CHECK_FALSE(NoWriteAfter([](State& s) { s.replacement_trigger = "t"; }));
  for (int kind = 0; kind < kHookKinds; ++kind) {
    CHECK_FALSE(NoWriteAfter([kind](State& s) { s.hooks.of(static_cast<HookKind>(kind)) = {"h"}; }));
  }
}

TEST_CASE("a change of a descriptive field forces no write, and is recorded at the end") {
  const auto only_described = [](auto change) {
    State next = Recorded();
    change(next);
    return SameNeedsNoWrite(Recorded(), next) && !SameDescription(Recorded(), next);
  };
  CHECK(only_described([](State& s) { s.init_errors = {"e"}; }));
  CHECK(only_described([](State& s) { s.source_position = "project:///a:1,2"; }));
  CHECK(only_described([](State& s) { s.stack_trace = {"project:///a:1,2"}; }));
  CHECK(only_described([](State& s) { s.ignore_changes = {"p"}; }));
  CHECK(only_described([](State& s) { s.replace_on_changes = {"p"}; }));
  CHECK(only_described([](State& s) { s.hide_diffs = {"p"}; }));
  CHECK(only_described([](State& s) { s.additional_secret_outputs = {"p"}; }));
  CHECK(only_described([](State& s) { s.import_id = "i"; }));
  CHECK(only_described([](State& s) { s.refresh_before_update = true; }));
  CHECK(only_described([](State& s) { s.modified = "2024-01-02T03:04:05Z"; }));
  CHECK(only_described([](State& s) { s.snippet_id = "s"; }));
}

TEST_CASE("each field that is recorded is written where it alone has changed") {
  ForEachResourceField([](const auto& field) {
    if constexpr (std::decay_t<decltype(field)>::kInState) {
      INFO(std::string(field.name));
      State next = Recorded();
      testing::MakeOther(&(next.*field.state));
      const bool at_once = field.use.write == Write::kAtOnce;
      CHECK(SameNeedsNoWrite(Recorded(), next) == !at_once);
      CHECK(SameNeedsNoWrite(next, Recorded()) == !at_once);
      CHECK(SameDescription(Recorded(), next) == at_once);
    }
  });
}

TEST_CASE("another order of the same dependencies is not recorded") {
  CHECK(NoWriteAfter([](State&) {}));
  CHECK(NoWriteAfter([](State& s) { std::swap(s.dependencies[0], s.dependencies[1]); }));
  State next = Recorded();
  std::swap(next.dependencies[0], next.dependencies[1]);
  CHECK(SameDescription(Recorded(), next));
}

}  // namespace kingpost::elision_test
