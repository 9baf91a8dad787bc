// SPDX-License-Identifier: Apache-2.0
// Checks updates that are held to a plan. Every pair of operations is checked against the table of row 3.42, and every
// short sequence of them against a walk along the list. Every small change of properties is checked, too.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "update_plan/planned.h"

namespace kingpost::plan_ops_oracle_test {

using namespace plan_test;

using update_plan::IsAllowed;
using update_plan::UpdatePlan;

struct Row {
  const char* planned;
  std::set<std::string> allowed;
};

const std::vector<Row> kTable = {
    {"same", {"same"}},
    {"create", {"same", "create"}},
    {"update", {"same", "update"}},
    {"delete", {"delete"}},
    {"replace", {"same", "update", "replace"}},
    {"create-replacement", {"same", "update", "create-replacement"}},
    {"delete-replaced", {"same", "update", "delete-replaced"}},
    {"read", {"read"}},
    {"read-replacement", {"read-replacement"}},
    {"refresh", {"refresh"}},
    {"discard", {"discard"}},
    {"discard-replaced", {"discard-replaced"}},
    {"remove-pending-replace", {"remove-pending-replace"}},
    {"import", {"import"}},
    {"import-replacement", {"import-replacement"}},
};

bool InTable(const std::string& planned, const std::string& op) {
  for (const Row& row : kTable) {
    if (row.planned == planned) return row.allowed.count(op) > 0;
  }
  return false;
}

using Ops = std::vector<std::string>;

std::vector<Ops> Runs(const Ops& ops, size_t length) {
  std::vector<Ops> runs = {{}};
  for (size_t from = 0; from < runs.size(); ++from) {
    if (runs[from].size() == length) break;
    for (const std::string& op : ops) {
      Ops longer = runs[from];
      longer.push_back(op);
      runs.push_back(std::move(longer));
    }
  }
  return runs;
}

// A property is absent, 1, 2, or (in a plan) not known yet.
enum class Is { kAbsent, kOne, kTwo, kUnknown };

PropertyMap Properties(Is a, Is b) {
  PropertyMap map;
  const auto set = [&map](const char* key, Is is) {
    if (is == Is::kUnknown) map.Set(key, Computed());
    if (is == Is::kOne || is == Is::kTwo) map.Set(key, is == Is::kOne ? 1 : 2);
  };
  set("a", a);
  set("b", b);
  return map;
}

TEST_CASE("every operation is allowed as the table says, for all pairs") {
  int pairs = 0;
  for (int planned = 0; planned <= static_cast<int>(StepOp::kExtendParameterize); ++planned) {
    for (int op = 0; op <= static_cast<int>(StepOp::kExtendParameterize); ++op, ++pairs) {
      const StepOp first = static_cast<StepOp>(planned), second = static_cast<StepOp>(op);
      INFO(StepOpName(second) << " where " << StepOpName(first) << " was planned");
      CHECK(IsAllowed(second, first) == InTable(StepOpName(first), StepOpName(second)));
    }
  }
  CHECK(pairs == 289);
}

TEST_CASE("planned operations are taken one by one, for all short runs") {
  const Ops ops = {"same", "create", "update", "replace", "delete"};
  int cases = 0;
  for (const Ops& planned : Runs(ops, 2)) {
    for (const Ops& actual : Runs(ops, 3)) {
      Planned made;
      made.builder.SetGoal(kUrn, kSeed, {}, {}, GoalOf());
      for (const std::string& op : planned) made.builder.AddOp(kUrn, *ParseStepOp(op));
      UpdatePlan plan = made.Reread();
      bool agrees = true;
      for (size_t i = 0; i < actual.size(); ++i) {
        const bool allowed = i < planned.size() && InTable(planned[i], actual[i]);
        agrees = agrees && plan.TakeOp(kUrn, *ParseStepOp(actual[i])).ok() == allowed;
        agrees = agrees && plan.TakeOp(kOther, *ParseStepOp(actual[i])).ok() == (actual[i] == "same");
      }
      // The plan reports the steps that were not taken, except the delete of a resource that is gone anyway.
      const Ops left(planned.begin() + std::min(planned.size(), actual.size()), planned.end());
      agrees = agrees && plan.Leftovers({}).size() == (left.empty() || left == Ops{"delete"} ? 0 : 1);
      ++cases;
      if (!agrees) FAIL("plan of " << planned.size() << ", run of " << actual.size() << ", case " << cases);
    }
  }
  CHECK(cases == 31 * 156);
}

TEST_CASE("the planned change of properties is allowed and any other is not, for all small maps") {
  const Is known[] = {Is::kAbsent, Is::kOne, Is::kTwo}, any[] = {Is::kAbsent, Is::kOne, Is::kTwo, Is::kUnknown};
  int cases = 0;
  for (Is old_a : known) {
    for (Is old_b : known) {
      for (Is plan_a : any) {
        for (Is plan_b : any) {
          const PropertyMap before = Properties(old_a, old_b);
          const update_plan::PlannedDiff planned = update_plan::DiffForPlan(before, Properties(plan_a, plan_b));
          for (Is a : known) {
            for (Is b : known) {
              ++cases;
              const bool kept = (a == plan_a || plan_a == Is::kUnknown) && (b == plan_b || plan_b == Is::kUnknown);
              // Something else happens: a property becomes what was neither planned nor there.
              const bool strays = (a != plan_a && plan_a != Is::kUnknown && a != old_a) ||
                                  (b != plan_b && plan_b != Is::kUnknown && b != old_b);
              const bool ok = CheckDiff(before, Properties(a, b), planned).ok();
              if ((kept && !ok) || (strays && ok)) FAIL("case " << cases);
            }
          }
        }
      }
    }
  }
  CHECK(cases == 9 * 16 * 9);
}

TEST_CASE("a plan records that a value becomes secret or plain, at any depth") {
  const PropertyMap open = {{"a", Value("x")}, {"b", Value(PropertyMap{{"deep", Value("y")}})}};
  const PropertyMap sealed = {{"a", Value::Secret(Value("x"))},
                              {"b", Value(PropertyMap{{"deep", Value::Secret(Value("y"))}})}};
  for (const auto& [before, after] : {std::pair(open, sealed), std::pair(sealed, open)}) {
    const update_plan::PlannedDiff planned = update_plan::DiffForPlan(before, after);
    CHECK(planned.updates.Has("a"));
    CHECK(planned.updates.Has("b"));
    CHECK(CheckDiff(before, after, planned).ok());
    CHECK_FALSE(CheckDiff(before, after, update_plan::DiffForPlan(before, before)).ok());
    CHECK(update_plan::DiffForPlan(after, after).updates.empty());
  }
}

}  // namespace kingpost::plan_ops_oracle_test
