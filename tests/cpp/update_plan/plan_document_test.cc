// SPDX-License-Identifier: Apache-2.0
// Checks plans as documents, and how a preview makes them.
#include <catch2/catch.hpp>

#include "update_plan/planned.h"
#include "update_plan/update_plan.h"

namespace kingpost::plan_document_test {

using namespace plan_test;

using update_plan::PlanBuilder;
using update_plan::UpdatePlan;

TEST_CASE("a resource that stays keeps its former names in the plan") {
  State recorded;
  recorded.urn = kUrn;
  recorded.type = "pkgA:m:typA";
  recorded.aliases = {kOther};
  const update_plan::PlannedGoal planned = update_plan::UnchangedGoal(recorded);
  REQUIRE(planned.aliases.size() == 1);
  CHECK(planned.aliases[0].urn == kOther);
}

TEST_CASE("outputs of a resource without a planned goal are not written into the plan") {
  Planned made;
  made.builder.SetRegisteredOutputs(kOther, {}, {{"p", 2}});
  made.builder.AddOp(kUrn, StepOp::kDelete);
  made.builder.SetRegisteredOutputs(kUrn, {}, {{"p", 2}});
  EncodeOptions encode;
  encode.secrets = &made.secrets;
  const Result<std::string> json = made.builder.Json("2024-01-02T03:04:05.6Z", encode);
  REQUIRE(json.ok());
  CHECK(json->find("resB") == std::string::npos);
  CHECK(json->find("\"p\"") == std::string::npos);
}

TEST_CASE("a plan is written as the reference writes it") {
  FakeSecrets secrets;
  PlanBuilder builder({{"p:a", "1"}, {"p:token", "hush"}}, {"p:token"});
  Goal goal = GoalOf();
  goal.aliases.resize(1);
  goal.aliases[0].name = "old";
  goal.dependencies = {kOther};
  goal.property_dependencies["new"] = {kOther};
  goal.delete_before_replace = false;
  goal.custom_timeouts.create_s = 60;
  const PropertyMap before = {{"gone", 1}, {"same", "s"}, {"changed", 1}, {"__defaults", Array()}};
  const PropertyMap after = {
      {"new", Computed()}, {"same", "s"}, {"changed", Value::Secret("hush")}, {"__defaults", Array({Value("x")})}};
  builder.SetGoal(kUrn, std::string("\x00\x01", 2), before, after, goal);
  builder.AddOp(kUrn, StepOp::kUpdate);
  builder.SetOutputs(kUrn, {{"out", 1}});
  builder.AddOp(kOther, StepOp::kDelete);
  EncodeOptions encode;
  encode.secrets = &secrets;
  Result<std::string> json = builder.Json("2024-01-02T03:04:05.6Z", encode);
  REQUIRE(json.ok());
  CHECK(*json == R"({
    "manifest": {
        "time": "2024-01-02T03:04:05.6Z",
        "magic": "294a449188e3da4517a05ae33e5c1307bbafa419a82735db7986e01d5ec6b1c0",
        "version": "v3.274.1"
    },
    "config": {
        "p:a": "1",
        "p:token": {
            "secure": "sealed:hush"
        }
    },
    "resourcePlans": {
        "urn:pulumi:test::test::pkgA:m:typA::resA": {
            "goal": {
                "type": "pkgA:m:typA",
                "name": "resA",
                "custom": true,
                "inputDiff": {
                    "adds": {
                        "new": "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
                    },
                    "deletes": [
                        "gone"
                    ],
                    "updates": {
                        "changed": {
                            "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
                            "ciphertext": "sealed:\"hush\""
                        }
                    }
                },
                "outputDiff": {},
                "protect": false,
                "dependencies": [
                    "urn:pulumi:test::test::pkgA:m:typA::resB"
                ],
                "provider": "urn:pulumi:test::test::pulumi:providers:pkgA::default::id1",
                "propertyDependencies": {
                    "new": [
                        "urn:pulumi:test::test::pkgA:m:typA::resB"
                    ]
                },
                "deleteBeforeReplace": false,
                "structuredAliases": [
                    {
                        "URN": "",
                        "Name": "old",
                        "Type": "",
                        "Project": "",
                        "Stack": "",
                        "Parent": "",
                        "NoParent": false
                    }
                ],
                "customTimeouts": {
                    "create": 60
                }
            },
            "steps": [
                "update"
            ],
            "state": {
                "out": 1
            },
            "seed": "AAE="
        },
        "urn:pulumi:test::test::pkgA:m:typA::resB": {
            "steps": [
                "delete"
            ],
            "state": null
        }
    }
}
)");
}

TEST_CASE("a plan that was written constrains as before") {
  Planned made;
  Goal goal = GoalOf();
  goal.protect = true;
  goal.parent = kOther;
  goal.dependencies = {kOther};
  goal.property_dependencies["a"] = {kOther};
  goal.delete_before_replace = true;
  goal.ignore_changes = {"x", "y.z"};
  goal.additional_secret_outputs = {"s"};
  goal.aliases.resize(2);
  goal.aliases[0].urn = kOther;
  goal.aliases[1] = {Urn(), "n", "a:b:C", "st", "pr", kOther, true};
  goal.import_id = "imp";
  goal.custom_timeouts = {1, 2.5, 3, 4};
  const PropertyMap after = {{"a", Value::Secret(PropertyMap({{"b", 1}}))}, {"c", Computed()}};
  made.builder.SetGoal(kUrn, kSeed, {}, after, goal);
  made.builder.AddOp(kUrn, StepOp::kCreate);
  made.builder.SetRegisteredOutputs(kUrn, {{"o", 1}}, {{"p", 2}});
  UpdatePlan plan = made.Reread();
  CHECK(plan.Seed(kUrn) == kSeed);
  CHECK_FALSE(plan.Seed(kOther));
  CHECK(plan.CheckGoal(kUrn, nullptr, {}, after, goal).ok());
  CHECK(plan.CheckGoal(kUrn, nullptr, {}, {{"a", Value::Secret(PropertyMap({{"b", 1}}))}}, goal).ok());
  CHECK_FALSE(plan.CheckGoal(kUrn, nullptr, {}, {{"a", Value::Secret(PropertyMap({{"b", 2}}))}}, goal).ok());
  CHECK_FALSE(plan.CheckGoal(kUrn, nullptr, {}, {{"a", PropertyMap({{"b", 1}})}}, goal).ok());
  CHECK(plan.CheckOutputs(kUrn, {{"o", 1}}, {{"p", 2}}).ok());
  CHECK(plan.CheckOutputs(kUrn, {{"o", 1}}, {{"o", 1}}).message() ==
        "resource violates plan: properties changed: +-p[{2}]");
  CHECK(plan.CheckOutputs(kOther, {}, {}).message() == "no plan for resource " + kOther.str());
}

TEST_CASE("a plan keeps a delete when the resource is registered later") {
  Planned made;
  CHECK_FALSE(made.builder.Has(kUrn));
  made.builder.AddOp(kUrn, StepOp::kDeleteReplaced);
  made.builder.SetGoal(kUrn, kSeed, {}, {}, GoalOf());
  made.builder.AddOp(kUrn, StepOp::kCreateReplacement);
  UpdatePlan plan = made.Reread();
  CHECK(plan.TakeOp(kUrn, StepOp::kDeleteReplaced).ok());
  CHECK(plan.TakeOp(kUrn, StepOp::kCreateReplacement).ok());
  CHECK(plan.Seed(kUrn) == kSeed);
}

TEST_CASE("a document that is no plan is refused with the place") {
  const auto error = [](const std::string& json) {
    Result<UpdatePlan> plan = UpdatePlan::Parse(json, DecodeOptions());
    return plan.ok() ? "" : plan.status().message();
  };
  CHECK(error("{}").empty());
  CHECK(error("{\"version\":1,\"plan\":{\"resourcePlans\":null}}").empty());
  CHECK(error("{\"version\":2,\"plan\":{}}").find("plan version 2 is not supported") == 0);
  CHECK(error("{\"version\":3e40,\"plan\":{}}").find("plan version 3") == 0);
  CHECK(error("{\"resourcePlans\":{\"u\":{\"steps\":[\"explode\"]}}}").find("unknown step \"explode\"") !=
        std::string::npos);
  CHECK(error("{\"resourcePlans\":{\"u\":{\"steps\":[\"explode\"]}}}").find("resource \"u\": ") == 0);
  CHECK(error("{\"resourcePlans\":{\"u\":{\"seed\":\"!\"}}}").find("the seed is not base64") != std::string::npos);
  CHECK(error("{\"resourcePlans\":{").find(" at byte ") != std::string::npos);
  CHECK(error("[]").find(" at byte ") != std::string::npos);
}

}  // namespace kingpost::plan_document_test
