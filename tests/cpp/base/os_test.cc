// SPDX-License-Identifier: Apache-2.0
// Checks which values switch an environment variable on, and which of two names counts.
#include "base/os.h"

#include <catch2/catch.hpp>
#include <cstdlib>

namespace kingpost::os_test {

constexpr char kName[] = "KINGPOST_TEST_SWITCH";
constexpr char kFormer[] = "KINGPOST_TEST_FORMER_SWITCH";

struct Unset {
  ~Unset() {
    unsetenv(kName);
    unsetenv(kFormer);
  }
};

TEST_CASE("a switch is on with 1 or true, however that is written, and with nothing else") {
  const Unset unset;
  for (const char* yes : {"1", "true", "True", "TRUE", "tRuE"}) {
    CAPTURE(yes);
    setenv(kName, yes, 1);
    CHECK(IsTruthy(yes));
    CHECK(IsTrueVariable(kName));
  }
  for (const char* no : {"", "0", "false", "yes", "on", "y", "t", "11", "true ", " true", "truee"}) {
    CAPTURE(no);
    setenv(kName, no, 1);
    CHECK_FALSE(IsTruthy(no));
    CHECK_FALSE(IsTrueVariable(kName));
  }
  unsetenv(kName);
  CHECK_FALSE(IsTrueVariable(kName));
  CHECK(GetEnvironment(kName).empty());
}

TEST_CASE("the former name of a switch counts where the present one is unset") {
  const Unset unset;
  setenv(kFormer, "true", 1);
  CHECK_FALSE(IsTrueVariable(kName));
  CHECK(IsTrueVariable(kName, kFormer));
  setenv(kName, "false", 1);
  CHECK_FALSE(IsTrueVariable(kName, kFormer));
  setenv(kName, "", 1);
  CHECK_FALSE(IsTrueVariable(kName, kFormer));
  setenv(kName, "1", 1);
  setenv(kFormer, "0", 1);
  CHECK(IsTrueVariable(kName, kFormer));
}

}  // namespace kingpost::os_test
