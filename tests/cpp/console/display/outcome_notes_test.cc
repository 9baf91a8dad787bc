// SPDX-License-Identifier: Apache-2.0
#include "console/display/outcome_notes.h"

#include <catch2/catch.hpp>

namespace kingpost::outcome_notes_test {

TEST_CASE("an error in one line ends with the cause", "[cli]") {
  CHECK(ErrorInOneLine("no such thing\nat all\n") == "no such thing");
  CHECK(ErrorInOneLine("Program failed with an unhandled exception:\nTraceback (most recent call last):\n"
                       "  File \"x\", line 1\n    raise E\nValueError: boom\n") ==
        "Program failed with an unhandled exception: ValueError: boom");
  CHECK(ErrorInOneLine("Running program 'x' failed with an unhandled exception:\nError: boom\n    at f (x.js:1)\n") ==
        "Running program 'x' failed with an unhandled exception: Error: boom");
  CHECK(ErrorInOneLine("it says:\n") == "it says:");
  CHECK(ErrorInOneLine("\n").empty());
}

TEST_CASE("a note after a destroy says what remains", "[cli]") {
  const auto state_of = [](const std::string& name) {
    State state;
    state.urn = *Urn::Parse("urn:pulumi:dev::site::things:index:Thing::" + name);
    state.type = "things:index:Thing";
    return state;
  };
  Snapshot left;
  CHECK(DestroyNote(left, "dev", {}).find("`kingpost stack rm dev`") != std::string::npos);
  State needed = state_of("needed"), kept = state_of("kept"), other = state_of("other");
  kept.protect = true;
  kept.dependencies = {needed.urn};
  for (const State& state : {needed, kept, other}) left.resources.push_back(std::make_shared<const State>(state));
  const std::string two = " There are still 2 protected resources associated with this stack.\n";
  CHECK(DestroyNote(left, "dev", {.excluded_protected = true, .deleted_some = true}) ==
        "All unprotected resources were destroyed." + two);
  CHECK(DestroyNote(left, "dev", {.excluded_protected = true}) ==
        "There were no unprotected resources to destroy." + two);
  CHECK(DestroyNote(left, "dev", {.deleted_some = true}).empty());
  left.resources = {left.resources[0], left.resources[2]};
  CHECK(DestroyNote(left, "dev", {.excluded_protected = true}).empty());
}

}  // namespace kingpost::outcome_notes_test
