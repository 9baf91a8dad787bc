// SPDX-License-Identifier: Apache-2.0
// Checks which resources a registration may refer to.
#include "decisions/claims.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::claims_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("a reference to a resource that this run has not registered, kept or renamed is refused, the parent first") {
  Rows rows;
  rows.SetBase({Share(StateOf("recorded")), Share(StateOf("former"))});
  rows.Claim(UrnOf("claimed"));
  rows.Keep(UrnOf("kept"), Because(Rule::kNotTargeted));
  rows.Claim(UrnOf("renamed"));
  rows.Continue(UrnOf("renamed"), UrnOf("former"));
  const auto text_of = [&rows](auto change) {
    DeclaredFields declared;
    change(&declared);
    return CheckKnownReferences(declared, UrnOf("a"), rows).message();
  };
  const std::string self = UrnOf("a").str(), recorded = UrnOf("recorded").str();
  const std::string end = recorded + ", which has not been registered before it";
  CHECK(text_of([](DeclaredFields* d) {
          d->parent = UrnOf("claimed");
          d->dependencies = {UrnOf("kept"), UrnOf("former")};
          d->deleted_with = UrnOf("renamed");
        }).empty());
  CHECK(text_of([](DeclaredFields* d) { d->parent = UrnOf("recorded"); }) ==
        "could not find parent resource " + recorded);
  CHECK_FALSE(text_of([](DeclaredFields* d) { d->parent = UrnOf("former"); }).empty());
  CHECK(text_of([](DeclaredFields* d) { d->dependencies = {UrnOf("recorded")}; }) ==
        "resource " + self + " depends on " + end);
  CHECK(text_of([](DeclaredFields* d) { d->property_dependencies["x"] = {UrnOf("recorded")}; }) ==
        "resource " + self + " depends on " + end);
  CHECK(text_of([](DeclaredFields* d) { d->deleted_with = UrnOf("recorded"); }) ==
        "resource " + self + " is to be deleted with " + end);
  CHECK(text_of([](DeclaredFields* d) { d->replace_with = {UrnOf("recorded")}; }) ==
        "resource " + self + " is to be replaced with " + end);
  CHECK(DuplicateText(UrnOf("a")) == "Duplicate resource URN '" + self + "'; try giving it a unique name");
}

}  // namespace kingpost::claims_test
