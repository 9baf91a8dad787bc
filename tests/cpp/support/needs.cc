// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "support/needs.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <map>

namespace kingpost::testing {

namespace {

std::map<std::string, int>& LeftOut() {
  static std::map<std::string, int> left_out;
  return left_out;
}

struct TellsWhatWasLeftOut : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testRunEnded(const Catch::TestRunStats&) override {
    for (const auto& [why, count] : LeftOut()) std::cerr << "SKIPPED [" << count << "] " << why << "\n";
  }
};

CATCH_REGISTER_LISTENER(TellsWhatWasLeftOut)

}  // namespace

void LeaveOut(const std::string& why) {
  if (std::getenv("KINGPOST_TEST_ALL")) FAIL(why);
  ++LeftOut()[why];
}

std::optional<std::string> Needed(const char* variable, const std::string& what) {
  if (const char* value = std::getenv(variable)) return value;
  LeaveOut(std::string(variable) + " has to name " + what);
  return std::nullopt;
}

}  // namespace kingpost::testing
