// SPDX-License-Identifier: Apache-2.0
#include "cli/outcome_notes.h"

#include <catch2/catch.hpp>

namespace kingpost::outcome_notes_test {

TEST_CASE("an error in one line ends with what went wrong", "[cli]") {
  CHECK(ErrorInOneLine("no such thing\nat all\n") == "no such thing");
  CHECK(ErrorInOneLine("Program failed with an unhandled exception:\nTraceback (most recent call last):\n"
                       "  File \"x\", line 1\n    raise E\nValueError: boom\n") ==
        "Program failed with an unhandled exception: ValueError: boom");
  CHECK(ErrorInOneLine("Running program 'x' failed with an unhandled exception:\nError: boom\n    at f (x.js:1)\n") ==
        "Running program 'x' failed with an unhandled exception: Error: boom");
  CHECK(ErrorInOneLine("it says:\n") == "it says:");
  CHECK(ErrorInOneLine("\n").empty());
}

TEST_CASE("after a destroy it is said what is left", "[cli]") {
  Snapshot left;
  CHECK(DestroyNote(left, "dev", false).find("`kingpost stack rm dev`") != std::string::npos);
  State state;
  state.protect = true;
  left.resources = {std::make_shared<const State>(state)};
  const std::string alone =
      "All unprotected resources were destroyed. There are still 1 protected resources associated with this stack.\n";
  CHECK(DestroyNote(left, "dev", true) == alone);
  CHECK(DestroyNote(left, "dev", false).empty());
  state.protect = false;
  state.type = "pulumi:providers:things";
  left.resources.push_back(std::make_shared<const State>(state));
  CHECK(DestroyNote(left, "dev", true) == alone);
  state.type = "things:index:Thing";
  left.resources.push_back(std::make_shared<const State>(state));
  CHECK(DestroyNote(left, "dev", true) == "1 protected resource is left in the stack, and 1 other that it needs.\n");
}

}  // namespace kingpost::outcome_notes_test
