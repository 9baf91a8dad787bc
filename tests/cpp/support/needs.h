// SPDX-License-Identifier: Apache-2.0
// Things that a test needs and kp_tests does not hold: an interpreter, packages. `./dev test` provides all of them and
// sets KINGPOST_TEST_ALL, which makes a missing one a failure. Elsewhere the test is skipped, and the end of the run
// says so.
#pragma once

#include <optional>
#include <string>

namespace kingpost::testing {

// The value of an environment variable that names what is needed, for instance
//   const auto python = Needed("KINGPOST_TEST_PYTHON", "a Python that has the package pulumi");
//   if (!python) return;
std::optional<std::string> Needed(const char* variable, const std::string& what);

// Skips the test for lack of something that no variable names; the caller returns.
void LeaveOut(const std::string& why);

}  // namespace kingpost::testing
