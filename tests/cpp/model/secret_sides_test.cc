// SPDX-License-Identifier: Apache-2.0
#include "model/secret_sides.h"

#include <catch2/catch.hpp>
#include <memory>

namespace kingpost::secret_sides_test {

const Value kHidden = Value::Secret("hush");

StatePtr Recorded(PropertyMap inputs, PropertyMap outputs) {
  auto state = std::make_shared<State>();
  state->inputs = std::move(inputs);
  state->outputs = std::move(outputs);
  return state;
}

TEST_CASE("a value is secret where the other side has a secret, at any depth") {
  const PropertyMap plain{{"a", "hush"}, {"b", PropertyMap{{"c", "hush"}, {"d", 1}}}, {"e", "told"}};
  const PropertyMap other{{"a", kHidden}, {"b", PropertyMap{{"c", kHidden}}}, {"f", kHidden}};
  const PropertyMap marked = CopySecretMarks(other, plain);
  CHECK(DeepEqual(marked, PropertyMap{{"a", kHidden}, {"b", PropertyMap{{"c", kHidden}, {"d", 1}}}, {"e", "told"}}));
}

TEST_CASE("a whole value is secret if the other side has one secret in its place") {
  const PropertyMap plain{{"a", PropertyMap{{"password", "hush"}}}};
  const PropertyMap marked = CopySecretMarks({{"a", Value::Secret(Array{1})}}, plain);
  CHECK(DeepEqual(*marked.Find("a"), Value::Secret(PropertyMap{{"password", "hush"}})));
}

TEST_CASE("an item of a list is secret wherever it stands in the list") {
  const PropertyMap plain{{"a", Array{"first", "hush", "last"}}};
  CHECK(DeepEqual(CopySecretMarks({{"a", Array{kHidden}}}, plain),
                  PropertyMap{{"a", Array{Value::Secret("first"), kHidden, "last"}}}));
}

TEST_CASE("a value that is secret in inputs or outputs becomes secret in the other") {
  StatePtr old_state = Recorded({{"a", "hush"}}, {{"a", "hush"}, {"b", kHidden}});
  StatePtr new_state = Recorded({{"a", kHidden}, {"b", "hush"}}, {{"a", kHidden}, {"b", "hush"}});
  ShareSecrets(&old_state, &new_state);
  CHECK(DeepEqual(old_state->inputs, PropertyMap{{"a", kHidden}}));
  CHECK(DeepEqual(old_state->outputs, PropertyMap{{"a", kHidden}, {"b", kHidden}}));
  CHECK(DeepEqual(new_state->inputs, PropertyMap{{"a", kHidden}, {"b", kHidden}}));
  CHECK(DeepEqual(new_state->outputs, PropertyMap{{"a", kHidden}, {"b", kHidden}}));
}

TEST_CASE("states without secrets are the same objects afterwards") {
  const StatePtr old_state = Recorded({{"a", 1}}, {{"a", 1}}), new_state = Recorded({{"a", 2}}, {{"a", 2}});
  StatePtr left = old_state, right = new_state, none;
  ShareSecrets(&left, &right);
  CHECK((left == old_state && right == new_state));
  ShareSecrets(&left, &none);
  CHECK(left == old_state);
}

}  // namespace kingpost::secret_sides_test
