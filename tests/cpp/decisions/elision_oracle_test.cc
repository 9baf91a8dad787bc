// SPDX-License-Identifier: Apache-2.0
// Checks which unchanged resources need no write: every set of up to three changed fields, against the list of row
// 7.14.
#include <algorithm>
#include <catch2/catch.hpp>

#include "decisions/elision.h"
#include "decisions/make_state.h"

namespace kingpost::elision_oracle_test {

using namespace plan_test;

using decisions::SameNeedsNoWrite;

struct Field {
  const char* name;
  bool matters;
  void (*change)(State*);
};

const Field kFields[] = {
    {"urn", true, [](State* s) { s->urn = UrnOf("other"); }},
    {"type", true, [](State* s) { s->type = "pkg:m:Other"; }},
    {"custom", true, [](State* s) { s->custom = false; }},
    {"customTimeouts", true, [](State* s) { s->custom_timeouts.update_s = 1; }},
    {"retainOnDelete", true, [](State* s) { s->retain_on_delete = true; }},
    {"provider", true, [](State* s) { s->provider = "urn::id"; }},
    {"parent", true, [](State* s) { s->parent = UrnOf("b"); }},
    {"deletedWith", true, [](State* s) { s->deleted_with = UrnOf("b"); }},
    {"replaceWith", true, [](State* s) { s->replace_with = {UrnOf("b")}; }},
    {"protect", true, [](State* s) { s->protect = true; }},
    {"inputs", true, [](State* s) { s->inputs.Set("x", 2); }},
    {"outputs", true, [](State* s) { s->outputs.Set("x", 2); }},
    {"dependencies", true, [](State* s) { s->dependencies.push_back(UrnOf("b")); }},
    {"propertyDependencies", true, [](State* s) { s->property_dependencies["x"] = {UrnOf("b")}; }},
    {"resourceHooks", true, [](State* s) { s->hooks.of(HookKind::kAfterUpdate) = {"h"}; }},
    {"replacementTrigger", true, [](State* s) { s->replacement_trigger = 1; }},
    // The row does not list it, but the next run must not find a mark that this run has cleared.
    {"taint", true, [](State* s) { s->taint = true; }},
    {"initErrors", false, [](State* s) { s->init_errors = {"e"}; }},
    {"sourcePosition", false, [](State* s) { s->source_position = "project:///a#1,1"; }},
    {"stackTrace", false, [](State* s) { s->stack_trace = {"project:///a#1,1"}; }},
    {"ignoreChanges", false, [](State* s) { s->ignore_changes = {"x"}; }},
    {"replaceOnChanges", false, [](State* s) { s->replace_on_changes = {"x"}; }},
    {"hideDiff", false, [](State* s) { s->hide_diffs = {"x"}; }},
    {"additionalSecretOutputs", false, [](State* s) { s->additional_secret_outputs = {"x"}; }},
    {"importID", false, [](State* s) { s->import_id = "i"; }},
    {"snippetID", false, [](State* s) { s->snippet_id = "i"; }},
    {"created", false, [](State* s) { s->created = "2024-01-02T03:04:05Z"; }},
    {"modified", false, [](State* s) { s->modified = "2024-01-02T03:04:05Z"; }},
};
constexpr int kCount = static_cast<int>(std::size(kFields));

TEST_CASE("a same is left out exactly if no field that matters has changed, for all sets of three") {
  State recorded = StateOf("a");
  recorded.inputs = {{"x", 1}};
  int cases = 0;
  for (int first = 0; first < kCount; ++first) {
    for (int second = first; second < kCount; ++second) {
      for (int third = second; third < kCount; ++third, ++cases) {
        State next = recorded;
        for (int field : {first, second, third}) kFields[field].change(&next);
        const bool matters = kFields[first].matters || kFields[second].matters || kFields[third].matters;
        if (SameNeedsNoWrite(recorded, next) == !matters && SameNeedsNoWrite(next, recorded) == !matters) continue;
        FAIL(kFields[first].name << ", " << kFields[second].name << ", " << kFields[third].name);
      }
    }
  }
  CHECK(cases == 4060);
}

TEST_CASE("the order of dependencies is no change, for all lists of up to three") {
  std::vector<std::vector<Urn>> lists = {{}};
  for (size_t from = 0; lists.back().size() < 3; ++from) {
    for (const char* name : {"a", "b", "c"}) {
      lists.push_back(lists[from]);
      lists.back().push_back(UrnOf(name));
    }
  }
  for (const std::vector<Urn>& before : lists) {
    for (const std::vector<Urn>& after : lists) {
      State old_state = StateOf("x"), next = StateOf("x");
      old_state.dependencies = before;
      next.dependencies = after;
      CHECK(SameNeedsNoWrite(old_state, next) ==
            std::is_permutation(before.begin(), before.end(), after.begin(), after.end()));
    }
  }
}

// What keeps one state of both leaves nothing out that the new one says: neither a field, nor the order of a list, nor
// a value that only counts as equal.
TEST_CASE("a state stands for another if every field is the same and properties are shared") {
  State recorded = StateOf("a");
  recorded.inputs = {{"x", 1}};
  CHECK(decisions::IsIdentical(recorded, recorded));
  CHECK(decisions::IsIdentical(recorded, State(recorded)));
  for (const Field& field : kFields) {
    State next = recorded;
    field.change(&next);
    INFO(field.name);
    CHECK(!decisions::IsIdentical(recorded, next));
  }
  State read_again = recorded;
  read_again.inputs = {{"x", 1}};
  CHECK(!decisions::IsIdentical(recorded, read_again));
  State ordered = recorded, reversed = recorded;
  ordered.dependencies = {UrnOf("b"), UrnOf("c")};
  reversed.dependencies = {UrnOf("c"), UrnOf("b")};
  CHECK(!decisions::IsIdentical(ordered, reversed));
}

}  // namespace kingpost::elision_oracle_test
