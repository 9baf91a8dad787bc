// SPDX-License-Identifier: Apache-2.0
// Goals and plans for the tests of update plans.
#pragma once

#include <catch2/catch.hpp>

#include "update_plan/planned_resource.h"
#include "update_plan/update_plan.h"

namespace kingpost::plan_test {

inline const Urn kUrn = Urn::Make("test", "test", "", "pkgA:m:typA", "resA");
inline const Urn kOther = Urn::Make("test", "test", "", "pkgA:m:typA", "resB");
inline const std::string kSeed(32, '\x01');
inline const std::string kViolates = "resource urn:pulumi:test::test::pkgA:m:typA::resA violates plan: ";

// Marks instead of encrypting.
class FakeSecrets : public SecretsManager {
 public:
  std::string type() const override { return "fake"; }
  std::string state() const override { return "{}"; }
  Result<std::string> Encrypt(const std::string& plaintext) override { return "sealed:" + plaintext; }
  Result<std::string> Decrypt(const std::string& ciphertext) override { return ciphertext.substr(7); }
};

inline Goal GoalOf(const PropertyMap& inputs = {}) {
  Goal goal;
  goal.type = "pkgA:m:typA";
  goal.name = "resA";
  goal.custom = true;
  goal.inputs = inputs;
  goal.provider = "urn:pulumi:test::test::pulumi:providers:pkgA::default::id1";
  return goal;
}

struct Planned {
  update_plan::PlanBuilder builder{{}, {}};
  FakeSecrets secrets;

  update_plan::UpdatePlan Reread() {
    EncodeOptions encode;
    encode.secrets = &secrets;
    Result<std::string> json = builder.Json("2024-01-02T03:04:05.6Z", encode);
    REQUIRE(json.ok());
    INFO(*json);
    DecodeOptions decode;
    decode.secrets = &secrets;
    Result<update_plan::UpdatePlan> plan = update_plan::UpdatePlan::Parse(*json, decode);
    INFO(plan.status().message());
    REQUIRE(plan.ok());
    return std::move(*plan);
  }
};

}  // namespace kingpost::plan_test
