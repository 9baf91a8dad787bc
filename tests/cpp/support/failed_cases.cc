// SPDX-License-Identifier: Apache-2.0
// Writes the names of the cases that failed into the file that KINGPOST_FAILED_CASES names, a line each, in the form in
// which kp_tests takes them as arguments, to be run again and alone. After a crash the names up to then are there.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <string>

namespace kingpost::testing {

namespace {

std::string AsArgument(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == ',' || c == '[' || c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

struct WritesFailedCases : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const char* path = std::getenv("KINGPOST_FAILED_CASES");
    if (!path || stats.totals.assertions.allOk()) return;
    std::ofstream(path, std::ios::app) << AsArgument(stats.testInfo.name) << "\n";
  }
};

CATCH_REGISTER_LISTENER(WritesFailedCases)

}  // namespace

}  // namespace kingpost::testing
