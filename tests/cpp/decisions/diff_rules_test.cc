// SPDX-License-Identifier: Apache-2.0
// The engine's own rules around a provider's Diff.
#include "decisions/diff_rules.h"

#include <catch2/catch.hpp>
#include <set>

#include "decisions/ignore_changes.h"
#include "decisions/make_state.h"

namespace kingpost::diff_rules_test {

using namespace decisions;
using namespace plan_test;

using Strings = std::vector<std::string>;

constexpr DiffKind kKinds[] = {DiffKind::kAdd,           DiffKind::kAddReplace, DiffKind::kDelete,
                               DiffKind::kDeleteReplace, DiffKind::kUpdate,     DiffKind::kUpdateReplace};

Value Object(std::initializer_list<Property> entries) { return Value(PropertyMap(entries)); }

// Goal after ignoring, and whether every path could be ignored.
PropertyMap Ignoring(const Strings& paths, const PropertyMap& goal, const PropertyMap& recorded, bool clean = true) {
  Strings refused;
  PropertyMap result = ApplyIgnoreChanges(goal, recorded, paths, &refused);
  CHECK(refused.empty() == clean);
  return result;
}

DiffResponse Changed(const Strings& keys, const DetailedDiff& detailed = {}) {
  DiffResponse diff;
  diff.changes = DiffChanges::kSome;
  diff.changed_keys = keys;
  diff.detailed = detailed;
  diff.has_detailed = !detailed.empty();
  return diff;
}

DiffResponse ReplacedOn(const Strings& paths, const DiffResponse& diff, bool has_init_errors = false) {
  Result<DiffResponse> result = ApplyReplaceOnChanges(diff, paths, has_init_errors);
  REQUIRE(result.ok());
  return *result;
}

TEST_CASE("a diff wants a replacement by a key or by any detail's kind") {
  CHECK_FALSE(WantsReplace(DiffResponse()));
  DiffResponse by_key;
  by_key.replaces = {"a"};
  CHECK(WantsReplace(by_key));
  for (DiffKind kind : kKinds) {
    const bool replace =
        kind == DiffKind::kAddReplace || kind == DiffKind::kDeleteReplace || kind == DiffKind::kUpdateReplace;
    CHECK(WantsReplace(Changed({}, {{"x", {DiffKind::kUpdate, true}}, {"y", {kind, true}}})) == replace);
  }
}

TEST_CASE("ignored paths keep their recorded values") {
  const PropertyMap recorded = {{"a", 1}, {"gone", 2}, {"o", Object({{"x", 1}, {"y", 2}})}};
  const PropertyMap goal = {{"a", 10}, {"new", 3}, {"o", Object({{"x", 10}, {"y", 20}, {"z", 30}})}};
  CHECK(DeepEqual(Ignoring({}, goal, recorded), goal));
  CHECK(Ignoring({"a"}, goal, recorded).Find("a")->as_number() == 1);
  CHECK(Ignoring({"gone"}, goal, recorded).Has("gone"));
  CHECK_FALSE(Ignoring({"new"}, goal, recorded).Has("new"));
  CHECK(DeepEqual(*Ignoring({"o.x"}, goal, recorded).Find("o"), Object({{"x", 1}, {"y", 20}, {"z", 30}})));
  CHECK(DeepEqual(*Ignoring({"o.*"}, goal, recorded).Find("o"), Object({{"x", 1}, {"y", 2}})));
  CHECK(DeepEqual(Ignoring({"*"}, goal, recorded), recorded));
  CHECK(DeepEqual(Ignoring({"a", "new", "gone", "o"}, goal, recorded), recorded));
}

TEST_CASE("no path adds or removes elements of an array") {
  const PropertyMap one = {{"l", Array({Value(1)})}}, two = {{"l", Array({Value(10), Value(20)})}};
  CHECK(DeepEqual(Ignoring({"l[0]"}, two, one), {{"l", Array({Value(1), Value(20)})}}));
  CHECK(DeepEqual(Ignoring({"l[1]"}, two, one, false), two));
  CHECK(DeepEqual(Ignoring({"l[1]"}, one, two, false), one));
  CHECK(DeepEqual(Ignoring({"l"}, two, one), one));
  Strings refused;
  ApplyIgnoreChanges(two, one, {"l[1]", "l[0]", "]bad["}, &refused);
  CHECK(refused == Strings{"l[1]"});
}

TEST_CASE("the engine compares inputs itself, looking through secrets") {
  CHECK(CompareInputs({{"a", 1}}, {{"a", 1}}).changes == DiffChanges::kNone);
  CHECK(CompareInputs({{"a", 1}}, {{"a", Value::Secret(1)}}).changes == DiffChanges::kNone);
  const DiffResponse diff = CompareInputs({{"a", 1}, {"b", 1}, {"c", 1}, {"__x", 1}},
                                          {{"b", Value::Secret(2)}, {"c", 1}, {"d", Array({Value(1)})}, {"__x", 2}});
  CHECK(diff.changes == DiffChanges::kSome);
  CHECK(diff.changed_keys == Strings{"__x", "a", "b", "d"});
  CHECK(diff.has_detailed);
  CHECK(diff.detailed.at("a").kind == DiffKind::kDelete);
  CHECK(diff.detailed.at("b").kind == DiffKind::kUpdate);
  CHECK(diff.detailed.at("__x").kind == DiffKind::kUpdate);
  for (const auto& entry : diff.detailed) CHECK(entry.second.input_diff);
  CHECK_FALSE(WantsReplace(diff));
}

TEST_CASE("changes under a path become replacements") {
  const DiffResponse diff =
      Changed({"a", "b"}, {{"a.x", {DiffKind::kAdd, true}}, {"a.y[0]", {DiffKind::kDelete, false}}, {"b", {}}});
  SECTION("the path is the whole property") {
    const DiffResponse replaced = ReplacedOn({"a"}, diff);
    CHECK(replaced.replaces == Strings{"a"});
    CHECK(replaced.detailed.at("a.x").kind == DiffKind::kAddReplace);
    CHECK(replaced.detailed.at("a.x").input_diff);
    CHECK(replaced.detailed.at("a.y[0]").kind == DiffKind::kDeleteReplace);
    CHECK(replaced.detailed.at("b").kind == DiffKind::kUpdate);
  }
  SECTION("the path is a part of the property") {
    const DiffResponse replaced = ReplacedOn({"a.y[*]"}, diff);
    CHECK(replaced.replaces.empty());
    CHECK(replaced.detailed.at("a.x").kind == DiffKind::kAdd);
    CHECK(WantsReplace(replaced));
  }
  SECTION("the path is a wildcard") {
    const DiffResponse replaced = ReplacedOn({"*"}, diff);
    CHECK(replaced.replaces == Strings{"a", "b"});
    CHECK(replaced.detailed.at("b").kind == DiffKind::kUpdateReplace);
  }
  SECTION("keys that replace anyway come once") {
    DiffResponse own = diff;
    own.replaces = {"b", "a"};
    CHECK(ReplacedOn({"a"}, own).replaces == Strings{"a", "b"});
  }
  SECTION("an unchanged property does not replace") {
    DiffResponse none;
    none.changes = DiffChanges::kNone;
    CHECK_FALSE(WantsReplace(ReplacedOn({"*"}, none)));
    CHECK_FALSE(WantsReplace(ReplacedOn({"c"}, diff)));
    CHECK_FALSE(WantsReplace(ReplacedOn({}, diff)));
  }
  CHECK_FALSE(ApplyReplaceOnChanges(diff, {"a["}, false).ok());
}

TEST_CASE("a resource that failed to initialise is replaced if its options say so") {
  DiffResponse none;
  none.changes = DiffChanges::kNone;
  for (const char* path : {"#initerror", "*"}) {
    const DiffResponse replaced = ReplacedOn({path}, none, true);
    CHECK(replaced.changes == DiffChanges::kSome);
    CHECK(replaced.replaces == Strings{"#initerror"});
  }
  CHECK(ReplacedOn({"a"}, none, true).changes == DiffChanges::kNone);
  CHECK_FALSE(WantsReplace(ReplacedOn({"#initerror"}, none, false)));
  CHECK(ReplacedOn({"#initerror"}, Changed({"a"}, {{"a", {}}}), true).detailed.at("#initerror").kind ==
        DiffKind::kUpdateReplace);
}

TEST_CASE("a trigger fires when it changes, and always when it is not known") {
  const Value null, unknown = Computed(), deep = Object({{"a", Computed()}});
  const Value values[] = {Value(1), Value(2), Value("1"), Object({{"a", 1}})};
  for (const Value& a : values) {
    CHECK_FALSE(TriggersReplace(null, a));
    CHECK_FALSE(TriggersReplace(a, null));
    for (const Value& other : {unknown, deep}) {
      CHECK(TriggersReplace(a, other));
      CHECK(TriggersReplace(other, a));
    }
    for (const Value& b : values) {
      CHECK(TriggersReplace(a, b) == (&a != &b));
      CHECK(TriggersReplace(Value::Secret(a), b) == (&a != &b));
      OutputData output;
      output.element = b;
      CHECK(TriggersReplace(a, Value::Output(output)) == (&a != &b));
    }
  }
  CHECK(TriggersReplace(null, unknown));
  CHECK(TriggersReplace(unknown, unknown));
  CHECK_FALSE(TriggersReplace(null, null));
}

TEST_CASE("a refresh shows the provider's deletions as additions") {
  for (DiffKind kind : kKinds) {
    const DiffResponse once = InvertDiff(Changed({"k"}, {{"k", {kind, true}}}));
    const DiffKind inverted = once.detailed.at("k").kind;
    CHECK(IsReplace(inverted) == IsReplace(kind));
    CHECK((inverted == kind) == (kind == DiffKind::kUpdate || kind == DiffKind::kUpdateReplace));
    CHECK(once.detailed.at("k").input_diff);
    CHECK(InvertDiff(once).detailed.at("k").kind == kind);
  }
}

TEST_CASE("inputs that come from condemned resources are not known any more") {
  State state = StateOf("a");
  state.inputs = {{"x", 1}, {"y", 2}, {"z", 3}};
  state.property_dependencies = {{"x", {UrnOf("b"), UrnOf("c")}}, {"y", {UrnOf("d")}}, {"w", {UrnOf("b")}}};
  state.dependencies = {UrnOf("e")};
  const auto after = [&state](const std::set<Urn>& condemned) { return InputsWithUnknowns(state, condemned); };
  CHECK_FALSE(after({}));
  CHECK_FALSE(after({UrnOf("e")}));
  REQUIRE(after({UrnOf("c")}));
  CHECK(DeepEqual(*after({UrnOf("c")}), {{"x", Computed()}, {"y", 2}, {"z", 3}}));
  CHECK(DeepEqual(*after({UrnOf("b"), UrnOf("d")}), {{"x", Computed()}, {"y", Computed()}, {"z", 3}}));
}

TEST_CASE("an answer that says nothing is replaced by a comparison, and any other stays") {
  DiffResponse answer;
  answer.changes = DiffChanges::kUnknown;
  answer.delete_before_replace = true;
  const PropertyMap one = {{"x", 1}}, two = {{"x", 2}};
  const DiffResponse own = CompareIfUnknown(answer, one, two);
  CHECK(own.changes == DiffChanges::kSome);
  CHECK(own.changed_keys == std::vector<std::string>{"x"});
  CHECK(own.has_detailed);
  CHECK(own.delete_before_replace);
  const DiffResponse equal = CompareIfUnknown(answer, one, one);
  CHECK(equal.changes == DiffChanges::kNone);
  CHECK(equal.changed_keys.empty());
  answer.changes = DiffChanges::kNone;
  CHECK(CompareIfUnknown(answer, one, two).changes == DiffChanges::kNone);
  CHECK(decisions::AssumedChange().changes == DiffChanges::kSome);
  CHECK(decisions::AssumedChange().changed_keys.empty());
}

TEST_CASE("a trigger has to be known outside of previews") {
  State draft = StateOf("a");
  CHECK_FALSE(decisions::UnknownTrigger(draft, false));
  draft.replacement_trigger = Value(Computed());
  CHECK_FALSE(decisions::UnknownTrigger(draft, /*preview=*/true));
  CHECK(*decisions::UnknownTrigger(draft, false) == "replacement trigger contains unknowns for " + UrnOf("a").str());
}

}  // namespace kingpost::diff_rules_test
