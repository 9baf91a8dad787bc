// SPDX-License-Identifier: Apache-2.0
// What a preview takes for the answer of a provider.
#include "decisions/preview_answers.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::preview_answers_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("a provider is asked but in a preview that it cannot answer") {
  const PropertyMap inputs = {{"x", 1}};
  for (int facts = 0; facts < 8; ++facts) {
    const bool preview = facts & 1, configured = facts & 2, can_preview = facts & 4;
    const auto outputs = OutputsWithoutAsking({preview, configured, can_preview}, inputs);
    CHECK(outputs.has_value() == (preview && !(configured && can_preview)));
    if (outputs) CHECK(DeepEqual(*outputs, configured ? inputs : PropertyMap()));
  }
}

}  // namespace kingpost::preview_answers_test
