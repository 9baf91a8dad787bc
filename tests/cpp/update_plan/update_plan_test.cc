// SPDX-License-Identifier: Apache-2.0
// Updates that keep or break a plan.
#include "update_plan/update_plan.h"

#include <catch2/catch.hpp>

#include "update_plan/planned.h"

namespace kingpost::update_plan_test {

using namespace plan_test;

using update_plan::UpdatePlan;

// Returns how an update from `before` to `after` violates a plan from `planned_before` to `planned`.
std::string InputsError(const PropertyMap& planned_before, const PropertyMap& planned, const PropertyMap& before,
                        const PropertyMap& after) {
  Planned made;
  made.builder.SetGoal(kUrn, kSeed, planned_before, planned, GoalOf());
  Status status = made.Reread().CheckGoal(kUrn, nullptr, before, after, GoalOf());
  if (status.ok()) return "";
  REQUIRE(status.message().rfind(kViolates + "properties changed: ", 0) == 0);
  return status.message().substr(kViolates.size() + 20);
}

std::string GoalError(const Goal& planned, const Goal& actual) {
  Planned made;
  made.builder.SetGoal(kUrn, kSeed, {}, {}, planned);
  Status status = made.Reread().CheckGoal(kUrn, nullptr, {}, {}, actual);
  if (status.ok()) return "";
  REQUIRE(status.message().rfind(kViolates, 0) == 0);
  return status.message().substr(kViolates.size());
}

TEST_CASE("a violation does not show a secret") {
  const std::string error = InputsError({}, {{"a", Value::Secret("hush")}}, {}, {{"a", Value::Secret("other")}});
  CHECK(error == "++a[{[secret]}!={[secret]}]");
}

TEST_CASE("a violation shows a secret only if the user asked for secrets") {
  Planned made;
  made.builder.SetGoal(kUrn, kSeed, {}, {{"a", Value::Secret("hush")}}, GoalOf());
  UpdatePlan plan = made.Reread();
  plan.ShowSecrets(true);
  const Status status = plan.CheckGoal(kUrn, nullptr, {}, {{"a", Value::Secret("other")}}, GoalOf());
  CHECK(status.message() == kViolates + "properties changed: ++a[{&{{hush}}}!={&{{other}}}]");
}

TEST_CASE("properties of a provider with an underscore before their names are neither planned nor compared") {
  const PropertyMap planned = {{"a", 1}, {"__defaults", "x"}, {"_note", 1}};
  CHECK(InputsError({}, planned, {}, planned).empty());
  CHECK(InputsError({}, planned, {}, {{"a", 1}, {"__defaults", "y"}, {"_more", 2}}).empty());
  CHECK(InputsError({{"_note", 1}}, {}, {{"_note", 2}}, {{"_note", 3}}).empty());
  CHECK(InputsError({}, {{"a", PropertyMap({{"_b", 1}})}}, {}, {{"a", PropertyMap({{"_b", 2}})}}) ==
        "++a[{map[_b:{1}]}!={map[_b:{2}]}]");
}

TEST_CASE("a change of a property is compared with its planned change") {
  const PropertyMap none, one = {{"k", 1}}, two = {{"k", 2}}, unknown = {{"k", Computed()}}, null = {{"k", Value()}};
  SECTION("a planned change is accepted") {
    CHECK(InputsError(none, one, none, one).empty());
    CHECK(InputsError(one, two, one, two).empty());
    CHECK(InputsError(one, none, one, none).empty());
    CHECK(InputsError(one, one, one, one).empty());
  }
  SECTION("an add may find the property there already") {
    CHECK(InputsError(none, one, one, one).empty());
    CHECK(InputsError(none, one, two, one).empty());
    CHECK(InputsError(none, one, two, two) == "+=k[{1}!={2}]");
    CHECK(InputsError(none, two, two, one) == "+~k[{2}!={1}]");
    CHECK(InputsError(none, one, none, none) == "+-k[{1}]");
    CHECK(InputsError(none, one, none, two) == "++k[{1}!={2}]");
  }
  SECTION("an update may find its value there, but not nothing") {
    CHECK(InputsError(one, two, two, two).empty());
    CHECK(InputsError(one, two, one, one) == "~=k[{2}!={1}]");
    CHECK(InputsError(one, two, none, two).find("~+k[{2}!={2}]") == 0);
    CHECK(InputsError(one, two, one, none).find("~-k[{2}]") == 0);
  }
  SECTION("a delete may have happened already") {
    CHECK(InputsError(one, none, none, none).empty());
    CHECK(InputsError(one, none, one, two).find("-~k[{2}]") == 0);
    CHECK(InputsError(one, none, none, two).find("-+k[{2}]") == 0);
    CHECK(InputsError(one, none, {{"k", 1}, {"x", 1}}, {{"k", 1}}) == "-=k[{1}], =-x");
  }
  SECTION("an unplanned change is refused") {
    CHECK(InputsError(none, none, none, one) == "=+k[{1}]");
    CHECK(InputsError(one, one, one, two) == "=~k[{2}]");
    CHECK(InputsError(one, one, one, none) == "=-k");
  }
  SECTION("unknown matches anything, also nothing") {
    CHECK(InputsError(none, unknown, none, two).empty());
    CHECK(InputsError(none, unknown, none, none).empty());
    CHECK(InputsError(one, unknown, one, none).empty());
    CHECK(InputsError(one, unknown, one, one).empty());
    CHECK(InputsError(one, unknown, one, two).empty());
    CHECK(InputsError(none, {{"k", PropertyMap({{"a", Computed()}, {"b", 1}})}}, none, {{"k", PropertyMap({{"b", 1}})}})
              .empty());
    CHECK(InputsError(none, {{"k", Array({Computed()})}}, none, {{"k", Array({Value(7)})}}).empty());
    CHECK_FALSE(InputsError(none, {{"k", Array({Computed()})}}, none, {{"k", Array()}}).empty());
  }
  SECTION("null is as good as absent") {
    CHECK(InputsError(none, none, none, null).empty());
    CHECK(InputsError(one, none, one, null).empty());
    CHECK(InputsError(none, one, null, one).empty());
  }
  SECTION("several violations are reported in order") {
    const PropertyMap baz = {{"foo", "bar"}, {"baz", PropertyMap({{"a", 42}, {"b", Computed()}})}};
    CHECK(InputsError(none, baz, none, none) == "+-baz[{map[a:{42} b:output<string>{}]}], +-foo[{bar}]");
  }
}

TEST_CASE("every field of a goal is held to the plan") {
  const Goal planned = GoalOf();
  const auto error = [&planned](auto change) {
    Goal goal = planned;
    change(goal);
    return GoalError(planned, goal);
  };
  CHECK(error([](Goal&) {}) == "");
  CHECK(error([](Goal& g) { g.type = "a:b:C"; }) == "type changed (expected pkgA:m:typA)");
  CHECK(error([](Goal& g) { g.custom = false; }) == "resource kind changed (expected custom)");
  CHECK(error([](Goal& g) { g.provider += "2"; }) == "provider changed (expected " + planned.provider + ")");
  CHECK(error([](Goal& g) { g.provider = ""; }).rfind("failed to parse provider reference", 0) == 0);
  CHECK(error([](Goal& g) { g.parent = kOther; }) == "parent changed (expected )");
  CHECK(error([](Goal& g) { g.protect = true; }) == "protect changed (expected false)");
  CHECK(error([](Goal& g) { g.protect = false; }) == "");
  CHECK(error([](Goal& g) { g.delete_before_replace = false; }) == "deleteBeforeReplace changed (expected no value)");
  CHECK(error([](Goal& g) { g.import_id = "x"; }) == "importID changed (expected )");
  CHECK(error([](Goal& g) { g.custom_timeouts.create_s = 1; }) == "create timeout changed (expected 0)");
  CHECK(error([](Goal& g) { g.custom_timeouts.update_s = 1; }) == "update timeout changed (expected 0)");
  CHECK(error([](Goal& g) { g.custom_timeouts.delete_s = 1; }) == "delete timeout changed (expected 0)");
  CHECK(error([](Goal& g) { g.custom_timeouts.read_s = 1; }) == "read timeout changed (expected 0)");
  CHECK(error([](Goal& g) { g.ignore_changes = {"b", "a"}; }) == "ignoreChanges changed: added a, b");
  CHECK(error([](Goal& g) { g.additional_secret_outputs = {"s"}; }) == "additionalSecretOutputs changed: added s");
  CHECK(error([](Goal& g) { g.dependencies = {kOther}; }) == "dependencies changed: added " + kOther.str());
  CHECK(error([](Goal& g) { g.property_dependencies["a"] = {kOther}; }) == "");
  CHECK(error([](Goal& g) {
          g.aliases.resize(1);
          g.aliases[0].name = "old";
        }) == "aliases changed: added { old     false}");
}

TEST_CASE("options that differ from the plan are reported as added, deleted or changed") {
  Goal planned = GoalOf();
  planned.ignore_changes = {"a", "b"};
  planned.delete_before_replace = true;
  Goal actual = planned;
  actual.ignore_changes = {"b", "c"};
  CHECK(GoalError(planned, actual) == "ignoreChanges changed: added c; deleted a");
  actual.delete_before_replace = false;
  CHECK(GoalError(planned, actual) == "deleteBeforeReplace changed (expected true)");
  planned = actual = GoalOf();
  planned.property_dependencies["k"] = {kOther};
  CHECK(GoalError(planned, actual) == "");
  actual.property_dependencies["k"] = {};
  CHECK(GoalError(planned, actual) == "dependencies for k changed: deleted " + kOther.str());
}

TEST_CASE("a provider that a preview would create may get any ID") {
  Goal planned = GoalOf(), actual = GoalOf();
  const std::string urn = "urn:pulumi:test::test::pulumi:providers:pkgA::mine";
  planned.provider = urn + "::" + std::string(kUnknownString);
  actual.provider = urn + "::1234";
  CHECK(GoalError(planned, actual) == "");
  CHECK(GoalError(actual, planned) == "provider changed (expected " + actual.provider + ")");
}

TEST_CASE("a resource that the plan does not mention must stay the same") {
  UpdatePlan plan = Planned().Reread();
  State old_state;
  old_state.urn = kUrn;
  old_state.type = "pkgA:m:typA";
  old_state.custom = true;
  old_state.provider = GoalOf().provider;
  old_state.inputs = {{"a", 1}};
  const auto recorded = std::make_shared<const State>(old_state);
  CHECK(plan.CheckGoal(kUrn, recorded, old_state.inputs, {{"a", 1}}, GoalOf()).ok());
  CHECK(plan.CheckGoal(kUrn, recorded, old_state.inputs, {{"a", 2}}, GoalOf()).message() ==
        kViolates + "properties changed: =~a[{2}]");
  CHECK(plan.CheckGoal(kUrn, nullptr, {}, {{"a", 2}}, GoalOf()).ok());
  CHECK(plan.TakeOp(kUrn, StepOp::kSame).ok());
  CHECK(plan.TakeOp(kUrn, StepOp::kCreate).message() ==
        "create is not allowed by the plan: no steps were expected for this resource");
}

TEST_CASE("a resource that was to be deleted must not be registered") {
  Planned made;
  made.builder.AddOp(kUrn, StepOp::kDelete);
  CHECK(made.Reread().CheckGoal(kUrn, nullptr, {}, {}, GoalOf()).message() ==
        kViolates + "resource unexpectedly not deleted");
}

TEST_CASE("steps are taken in the order of the plan") {
  Planned made;
  made.builder.SetGoal(kUrn, kSeed, {}, {}, GoalOf());
  made.builder.AddOp(kUrn, StepOp::kCreateReplacement);
  made.builder.AddOp(kUrn, StepOp::kReplace);
  made.builder.AddOp(kUrn, StepOp::kDeleteReplaced);
  UpdatePlan plan = made.Reread();
  CHECK(plan.TakeOp(kUrn, StepOp::kCreateReplacement).ok());
  CHECK(plan.TakeOp(kUrn, StepOp::kDeleteReplaced).message() ==
        "delete-replaced is not allowed by the plan: this resource is constrained to replace");
  CHECK(plan.TakeOp(kUrn, StepOp::kDeleteReplaced).ok());
  CHECK(plan.Leftovers({}).empty());
  CHECK(plan.TakeOp(kUrn, StepOp::kSame).message() ==
        "same is not allowed by the plan: no more steps were expected for this resource");
}

TEST_CASE("an update may do less than was planned, and nothing else") {
  using Op = StepOp;
  const std::map<Op, std::vector<Op>> allowed = {
      {Op::kSame, {}},
      {Op::kCreate, {Op::kSame}},
      {Op::kUpdate, {Op::kSame}},
      {Op::kDelete, {}},
      {Op::kReplace, {Op::kSame, Op::kUpdate}},
      {Op::kCreateReplacement, {Op::kSame, Op::kUpdate}},
      {Op::kDeleteReplaced, {Op::kSame, Op::kUpdate}},
      {Op::kRead, {}},
      {Op::kReadReplacement, {}},
      {Op::kRefresh, {}},
      {Op::kDiscard, {}},
      {Op::kDiscardReplaced, {}},
      {Op::kRemovePendingReplace, {}},
      {Op::kImport, {}},
      {Op::kImportReplacement, {}},
  };
  for (const auto& [planned, others] : allowed) {
    for (const auto& entry : allowed) {
      const Op op = entry.first;
      const bool expected = op == planned || std::count(others.begin(), others.end(), op) > 0;
      INFO(StepOpName(op) << " where " << StepOpName(planned) << " was planned");
      CHECK(update_plan::IsAllowed(op, planned) == expected);
    }
  }
}

TEST_CASE("planned steps that were not tried are reported, except deletes of gone resources") {
  Planned made;
  made.builder.SetGoal(kUrn, kSeed, {}, {}, GoalOf());
  made.builder.AddOp(kUrn, StepOp::kCreate);
  made.builder.AddOp(kOther, StepOp::kDelete);
  UpdatePlan plan = made.Reread();
  State recorded;
  recorded.urn = kOther;
  const auto gone = plan.Leftovers({});
  REQUIRE(gone.size() == 1);
  CHECK(gone[0].first == kUrn);
  CHECK(gone[0].second.message() == "expected resource operations for " + kUrn.str() + " but none were seen");
  CHECK(plan.Leftovers({std::make_shared<const State>(recorded)}).size() == 2);
}

}  // namespace kingpost::update_plan_test
