// SPDX-License-Identifier: Apache-2.0
// Checks the record of a component that ignores changes. diff_rules_test.cc checks which values ignored paths keep.
#include "decisions/ignore_changes.h"

#include <catch2/catch.hpp>

namespace kingpost::ignore_changes_test {

using namespace decisions;

TEST_CASE("a component is recorded with the program's inputs, and its ignored ones are not compared") {
  Goal goal;
  goal.inputs = {{"ignored", 2}, {"seen", 2}};
  const PropertyMap recorded = {{"ignored", 1}, {"seen", 1}}, compared = {{"ignored", 1}, {"seen", 2}};
  CHECK(DeepEqual(InputsToRecord(goal, recorded, compared), compared));  // it ignores nothing
  goal.ignore_changes = {"ignored"};
  CHECK(DeepEqual(InputsToRecord(goal, recorded, compared), goal.inputs));
  const PropertyMap remediated = {{"ignored", 1}, {"seen", 3}};
  CHECK(DeepEqual(InputsToRecord(goal, recorded, remediated), remediated));
  goal.custom = true;  // its provider has checked what was compared
  CHECK(DeepEqual(InputsToRecord(goal, recorded, compared), compared));
}

TEST_CASE("all paths that could not be ignored are in one error") {
  CHECK(RefusedPathsText({"l[0]", "l[1]"}) ==
        "cannot ignore changes in added or removed elements of the path: \"l[0], l[1]\"");
}

}  // namespace kingpost::ignore_changes_test
