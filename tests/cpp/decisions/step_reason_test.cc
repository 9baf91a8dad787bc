// SPDX-License-Identifier: Apache-2.0
// Checks the reason that events give for a step. A refresh names what it found.
#include "decisions/step_reason.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace kingpost::step_reason_test {

using decisions::Because;
using decisions::ReasonOf;
using decisions::Rule;
using Names = std::vector<std::string>;

StepMetadata StepBecause(decisions::ReasonPtr because) {
  StepMetadata step;
  step.because = std::move(because);
  return step;
}

TEST_CASE("a step has the reason that was decided, or none") {
  CHECK(ReasonOf(StepBecause(nullptr)) == nullptr);
  StepMetadata update = StepBecause(Because(Rule::kInputsChanged, {"name"}));
  update.diffs = {"size"};
  CHECK(ReasonOf(update) == update.because);
}

TEST_CASE("a refresh names the paths that it found changed, or else the keys") {
  StepMetadata refresh = StepBecause(Because(Rule::kRefreshed));
  CHECK(ReasonOf(refresh) == refresh.because);
  refresh.diffs = {"tags"};
  CHECK(ReasonOf(refresh)->properties == Names{"tags"});
  refresh.detailed = DetailedDiff();
  CHECK(ReasonOf(refresh)->properties == Names{"tags"});
  refresh.detailed = DetailedDiff{{"tags.owner", {}}};
  CHECK(ReasonOf(refresh)->properties == Names{"tags.owner"});
  CHECK(ReasonOf(refresh)->rule == Rule::kRefreshed);
}

}  // namespace kingpost::step_reason_test
