// SPDX-License-Identifier: Apache-2.0
// Checks which outputs are secret.
#include "decisions/secret_outputs.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::secret_outputs_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("outputs are sealed by name and by secret inputs; the ID is not") {
  State state = StateOf("a");
  state.additional_secret_outputs = {"token", "id", "absent"};
  state.inputs = {{"key", Value::Secret(Value("k"))}, {"open", "o"}};
  state.outputs = {{"token", "t"}, {"key", "k"}, {"open", "o"}, {"id", "1"}};
  MarkSecretOutputs(&state);
  CHECK(state.outputs.Find("token")->is_secret());
  CHECK(state.outputs.Find("key")->is_secret());
  CHECK_FALSE(state.outputs.Find("open")->is_secret());
  CHECK_FALSE(state.outputs.Find("id")->is_secret());
  CHECK_FALSE(state.outputs.Has("absent"));
}

TEST_CASE("an ID in additionalSecretOutputs gives a warning") {
  State state = StateOf("a");
  state.additional_secret_outputs = {"token"};
  CHECK_FALSE(SecretOutputWarning(state));
  state.additional_secret_outputs.push_back("id");
  CHECK(SecretOutputWarning(state)->rfind("The 'id' property", 0) == 0);
}

}  // namespace kingpost::secret_outputs_test
