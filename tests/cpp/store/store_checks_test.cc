// SPDX-License-Identifier: Apache-2.0
#include "store/store_checks.h"

#include <catch2/catch.hpp>

namespace kingpost::store_checks_test {

using Verdict = StoreCheck::Verdict;
using Rule = BucketRules::Rule;

std::string Judged(bool versions, const std::vector<Rule>& rules) {
  std::string signs;
  for (const StoreCheck& check : CheckBucketRules({versions, rules, "infra/"})) {
    signs += check.verdict == Verdict::kGood ? "." : check.verdict == Verdict::kDoubtful ? "?" : "!";
    CHECK(check.remedy.empty() == (check.verdict == Verdict::kGood));
  }
  return signs;
}

TEST_CASE("lifecycle rules and versioning of a bucket are judged by the needs of the state", "[store]") {
  CHECK(Judged(false, {}) == "?");
  CHECK(Judged(true, {}) == "?");
  CHECK(Judged(true, {{"", "infra/.pulumi/journals/", 0, 1}}) == ".");
  CHECK(Judged(true, {{"", "infra/", 0, 7}}) == ".");
  CHECK(Judged(true, {{"", "", 0, 7}}) == ".");
  CHECK(Judged(true, {{"", "other/", 0, 7}}) == "?");
  CHECK(Judged(true, {{"", "infra/.pulumi/journals/shop/", 0, 7}}) == "?");  // of one project alone
  CHECK(Judged(true, {{"old", "", 90, 7}}) == "!.");
  CHECK(Judged(false, {{"old", "infra/.pulumi/stacks/", 90, 0}}) == "!?");
  CHECK(Judged(true, {{"old", "infra/.pulumi/journals/", 90, 1}}) == ".");
  CHECK(Judged(true, {{"old", "tmp/", 1, 0}, {"", "infra/.pulumi/", 0, 1}}) == ".");
}

}  // namespace kingpost::store_checks_test
