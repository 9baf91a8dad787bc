// SPDX-License-Identifier: Apache-2.0
// Checks who hears of a signal.
#include "cli/session/signals.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <future>
#include <optional>

namespace kingpost::signals_test {

TEST_CASE("a watch hears of a signal that came too late for the operation within it", "[cli]") {
  int told = 0;
  const WatchingSignals watching([&told] { ++told; });
  {
    const OperationSignals quiet([](int) {}, /*reported_by_display=*/true);
  }
  CHECK(told == 0);

  std::promise<int> received;
  std::optional<OperationSignals> operation;
  operation.emplace([&received](int number) { received.set_value(number); }, /*reported_by_display=*/true);
  std::raise(SIGINT);
  CHECK(received.get_future().get() == 1);
  { const SavingSignals saving(SavingSignals::After::kGoOn); }
  CHECK(told == 0);  // the operation may still stop for it
  operation.reset();
  CHECK(told == 1);
}

}  // namespace kingpost::signals_test
