// SPDX-License-Identifier: Apache-2.0
// Checks that values carry the resources that they come from.
#include "model/output_values.h"

#include <catch2/catch.hpp>

namespace kingpost::output_values_test {

const Urn kA("urn:pulumi:s::p::t:m:T::a");
const Urn kB("urn:pulumi:s::p::t:m:T::b");

Value Known(Value element, std::vector<Urn> dependencies, bool secret = false) {
  return Value::Output({std::move(element), true, secret, std::move(dependencies)});
}

TEST_CASE("a property that depends on something becomes an output that carries it") {
  const PropertyMap values = {{"from_a", 1}, {"plain", 2}};
  const PropertyMap told = WithDependencies(values, {{"from_a", {kA}}, {"plain", {}}, {"not there", {kB}}});
  CHECK(DeepEqual(told, PropertyMap{{"from_a", Known(1, {kA})}, {"plain", 2}}));
}

TEST_CASE("a property that carries all of it already stays as it is, at whatever depth") {
  const PropertyMap values = {{"list", Array{Known("x", {kA}), Known("y", {kB})}}};
  CHECK(DeepEqual(WithDependencies(values, {{"list", {kB, kA}}}), values));
}

TEST_CASE("an output that carries a part of it gets the rest, once") {
  const PropertyMap values = {{"out", Known("x", {kA}, true)}};
  const PropertyMap told = WithDependencies(values, {{"out", {kA, kB}}});
  CHECK(DeepEqual(told, PropertyMap{{"out", Known("x", {kA, kB}, true)}}));
}

TEST_CASE("the output of a secret or an unknown is secret or unknown") {
  CHECK(DeepEqual(Value::Output(OutputOf(1)), Known(1, {})));
  CHECK(DeepEqual(Value::Output(OutputOf(Value::Secret("s"))), Known("s", {}, true)));
  CHECK(DeepEqual(Value::Output(OutputOf(Value::Secret(Known("o", {kA})))), Known("o", {kA}, true)));
  CHECK(DeepEqual(Value::Output(OutputOf(Value::Secret(Computed()))), Value::Output({Value(), false, true, {}})));
}

TEST_CASE("every property depends on all that the values of others carry, each once") {
  const PropertyMap args = {{"a", Array{Known(1, {kA}), Known(2, {kA})}}, {"b", Value::Secret(Known(3, {kB}))}};
  CHECK(CarriedDependencies(args) == std::vector<Urn>{kA, kB});
  CHECK(CarriedDependencies({{"c", 1}}).empty());
  const PropertyMap answer = {{"own", Known(1, {kB})}, {"plain", 2}, {"secret", Value::Secret(3)}};
  CHECK(
      DeepEqual(DependingOn(answer, {kA}),
                PropertyMap{{"own", Known(1, {kB, kA})}, {"plain", Known(2, {kA})}, {"secret", Known(3, {kA}, true)}}));
  CHECK(DeepEqual(DependingOn(answer, {}), answer));
}

TEST_CASE("the dependencies of values are added to the declared ones, each once") {
  PropertyDependencies dependencies = {{"x", {kA}}};
  AddCarriedDependencies({{"x", Array{Known(1, {kA}), Known(2, {kB, kB})}}, {"y", 1}}, &dependencies);
  CHECK(dependencies == PropertyDependencies{{"x", {kA, kB}}, {"y", {}}});
}

}  // namespace kingpost::output_values_test
