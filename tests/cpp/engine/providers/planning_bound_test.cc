// SPDX-License-Identifier: Apache-2.0
// Checks that a bounded number of calls to providers runs at a time, however many resources are planned at once.
#include <algorithm>
#include <catch2/catch.hpp>

#include "engine/providers/configured_provider.h"
#include "engine/small_run.h"

namespace kingpost::planning_bound_test {

// Takes a few turns of the loop for each answer, and counts what is asked meanwhile.
class BusyProvider final : public kingpost::engine_test::FakeProvider {
 public:
  explicit BusyProvider(Loop& loop) : FakeProvider(spec_, nullptr), loop_(loop) {}
  Task<Result<CheckResponse>> Check(CheckRequest) override {
    auto waiting = Work();
    co_await std::move(waiting);
    co_return CheckResponse();
  }
  Task<Result<DiffResponse>> Diff(DiffRequest) override {
    auto waiting = Work();
    co_await std::move(waiting);
    co_return DiffResponse();
  }
  int most = 0, answered = 0;

 private:
  Task<void> Work() {
    most = std::max(most, ++now_);
    auto pause = Sleep(loop_, std::chrono::milliseconds(1));
    co_await std::move(pause);
    --now_;
    ++answered;
  }
  const kingpost::engine_test::RunSpec spec_;
  Loop& loop_;
  int now_ = 0;
};

Task<void> Plan(ProviderPtr provider) {
  auto checking = provider->Check(CheckRequest());
  (void)co_await std::move(checking);
  auto diffing = provider->Diff(DiffRequest());
  (void)co_await std::move(diffing);
}

TEST_CASE("providers that share a bound are asked no more at a time than it says, and all of it") {
  const int bound = GENERATE(1, 7, 64);
  Loop loop;
  const providers::ProviderMode mode;
  const auto planning = std::make_shared<Semaphore>(loop, bound);
  const auto plugin = std::make_shared<BusyProvider>(loop);
  const ProviderPtr first = std::make_shared<providers::ConfiguredProvider>(plugin, mode, planning);
  const ProviderPtr second = std::make_shared<providers::ConfiguredProvider>(plugin, mode, planning);
  auto all = [](Loop* loop, ProviderPtr first, ProviderPtr second) -> Task<void> {
    Group group(*loop);
    for (int i = 0; i < 50; ++i) {
      group.Spawn(Plan(first));
      group.Spawn(Plan(second));
    }
    co_await group.Wait();
  };
  loop.RunUntilDone(all(&loop, first, second));
  CHECK(plugin->answered == 200);
  CHECK(plugin->most == bound);
}

}  // namespace kingpost::planning_bound_test
