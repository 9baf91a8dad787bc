// SPDX-License-Identifier: Apache-2.0
// What targets and excludes include, how they grow, and what is forced.
#include "decisions/selection.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::selection_test {

using namespace plan_test;
using decisions::Selection;
using decisions::SelectionOptions;

State On(const std::string& name, const std::string& other) {
  State state = StateOf(name);
  state.dependencies = {UrnOf(other)};
  return state;
}

SelectionOptions Targets(bool dependents) {
  SelectionOptions options;
  options.targets = {UrnOf("a").str()};
  options.target_dependents = dependents;
  return options;
}

SelectionOptions Excludes(bool dependents) {
  SelectionOptions options;
  options.excludes = {UrnOf("a").str()};
  options.exclude_dependents = dependents;
  return options;
}

TEST_CASE("without a word everything is included and nothing is forced") {
  const Selection all{SelectionOptions()};
  CHECK(all.IsIncluded(StateOf("a")));
  CHECK_FALSE(all.IsForcedReplace(UrnOf("a")));
  CHECK_FALSE(all.constrained());
  CHECK_FALSE(all.by_excludes());
}

TEST_CASE("targets include what they name, and dependents only if asked to, as they are decided on") {
  Selection named(Targets(false)), with_dependents(Targets(true));
  for (Selection* selection : {&named, &with_dependents}) {
    CHECK(selection->IsIncluded(StateOf("a")));
    CHECK_FALSE(selection->IsIncluded(StateOf("b")));
    selection->Grow(StateOf("a"), true);
  }
  CHECK_FALSE(named.IsIncluded(On("b", "a")));
  CHECK(with_dependents.IsIncluded(On("b", "a")));
  CHECK_FALSE(with_dependents.IsIncluded(On("c", "b")));
  with_dependents.Grow(On("b", "a"), true);
  CHECK(with_dependents.IsIncluded(On("c", "b")));
  with_dependents.Grow(StateOf("d"), false);
  CHECK_FALSE(with_dependents.IsIncluded(On("e", "d")));
}

TEST_CASE("excludes leave out what they name, and dependents only if asked to") {
  Selection named(Excludes(false)), with_dependents(Excludes(true));
  CHECK_FALSE(named.IsIncluded(StateOf("a")));
  CHECK(named.IsIncluded(On("b", "a")));
  CHECK(named.by_excludes());
  CHECK_FALSE(with_dependents.IsIncluded(On("b", "a")));
  CHECK(with_dependents.IsIncluded(On("c", "b")));
  with_dependents.Grow(On("b", "a"), false);
  CHECK_FALSE(with_dependents.IsIncluded(On("c", "b")));
}

TEST_CASE("targets count before excludes") {
  SelectionOptions both = Targets(false);
  both.excludes = {UrnOf("a").str()};
  const Selection selection(both);
  CHECK(selection.IsIncluded(StateOf("a")));
  CHECK_FALSE(selection.by_excludes());
}

TEST_CASE("--replace forces, and --target-replace is a target too") {
  SelectionOptions options;
  options.replaces = {UrnOf("a").str()};
  options.target_replaces = {UrnOf("b").str()};
  const Selection selection(options);
  CHECK(selection.IsForcedReplace(UrnOf("a")));
  CHECK(selection.IsForcedReplace(UrnOf("b")));
  CHECK_FALSE(selection.IsForcedReplace(UrnOf("c")));
  CHECK(selection.IsIncluded(StateOf("b")));
  CHECK_FALSE(selection.IsIncluded(StateOf("a")));
  CHECK(selection.constrained());
}

}  // namespace kingpost::selection_test
