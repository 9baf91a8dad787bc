// SPDX-License-Identifier: Apache-2.0
// What a test needs that is not in kp_tests: an interpreter, packages. `./dev test` brings all of it and sets
// KINGPOST_TEST_ALL; there a missing thing is a failure. Elsewhere the test is left out, and the end of the run says
// so.
#pragma once

#include <optional>
#include <string>

namespace kingpost::testing {

// The value of an environment variable that names what is needed, for instance
//   const auto python = Needed("KINGPOST_TEST_PYTHON", "a Python that has the package pulumi");
//   if (!python) return;
std::optional<std::string> Needed(const char* variable, const std::string& what);

// The same for what no variable names; the caller returns.
void LeaveOut(const std::string& why);

}  // namespace kingpost::testing
