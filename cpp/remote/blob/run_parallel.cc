// SPDX-License-Identifier: Apache-2.0
#include "remote/blob/run_parallel.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "base/os.h"

namespace kingpost {

namespace {

constexpr size_t kInFlight = 16;
constexpr size_t kInFlightMax = 256;  // of threads, whatever the variable says

}  // namespace

size_t RequestsInFlightMax() {
  const int asked = std::atoi(GetEnvironment("PULUMI_DIY_BACKEND_PARALLEL").c_str());
  return asked > 0 ? std::min(static_cast<size_t>(asked), kInFlightMax) : kInFlight;
}

Status RunParallel(size_t count, const std::function<Status(size_t)>& work) {
  if (count == 1) return work(0);
  std::vector<Status> done(count);
  std::atomic<size_t> next{0};
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) done[i] = work(i);
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(count, RequestsInFlightMax()); ++i) threads.emplace_back(run);
  run();
  for (std::thread& thread : threads) thread.join();
  for (Status& status : done) {
    if (!status.ok()) return std::move(status);
  }
  return Status::Ok();
}

}  // namespace kingpost
