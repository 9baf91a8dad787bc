// SPDX-License-Identifier: Apache-2.0
// Writes a line for each case as it ends into the file that KINGPOST_CASE_RESULTS names: "passed" or "failed", a tab,
// the seconds that it took, a tab, its name. After a crash the cases up to then are there. tests/checks/cpp_tests.py
// reads it.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iomanip>

namespace kingpost::testing {

namespace {

struct WritesCaseResults : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo&) override { began_ = std::chrono::steady_clock::now(); }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const char* path = std::getenv("KINGPOST_CASE_RESULTS");
    if (!path) return;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began_;
    std::ofstream(path, std::ios::app) << (stats.totals.assertions.allOk() ? "passed" : "failed") << "\t" << std::fixed
                                       << std::setprecision(3) << took.count() << "\t" << stats.testInfo.name << "\n";
  }

 private:
  std::chrono::steady_clock::time_point began_;
};

CATCH_REGISTER_LISTENER(WritesCaseResults)

}  // namespace

}  // namespace kingpost::testing
