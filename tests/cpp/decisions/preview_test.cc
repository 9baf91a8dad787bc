// SPDX-License-Identifier: Apache-2.0
// Checks what a preview leaves undone.
#include "decisions/preview.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::preview_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("a preview records nothing and goes on where something is forbidden") {
  CHECK(RecordsSteps(false));
  CHECK_FALSE(RecordsSteps(/*preview=*/true));
  CHECK(BlocksForbiddenSteps(false));
  CHECK_FALSE(BlocksForbiddenSteps(/*preview=*/true));
}

TEST_CASE("a provider is asked, except in a preview that it cannot answer") {
  const PropertyMap inputs = {{"x", 1}};
  for (int facts = 0; facts < 8; ++facts) {
    const bool preview = facts & 1, configured = facts & 2, can_preview = facts & 4;
    const auto outputs = OutputsWithoutCall({preview, configured, can_preview}, inputs);
    CHECK(outputs.has_value() == (preview && !(configured && can_preview)));
    if (outputs) CHECK(DeepEqual(*outputs, configured ? inputs : PropertyMap()));
  }
}

}  // namespace kingpost::preview_test
