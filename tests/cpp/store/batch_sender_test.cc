// SPDX-License-Identifier: Apache-2.0
// Tries every order in which batches can arrive, and every choice of those that fail. Each batch is settled when it and
// all before it have arrived, with the first failure among them.
#include "store/batch_sender.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

namespace kingpost::batch_sender_test {

constexpr int kBatches = 4;
static_assert(kBatches == BatchSender::kInFlightMax);

// Holds what is sent until the test lets it arrive.
class Wire {
 public:
  Status Send(uint64_t number) {
    std::unique_lock<std::mutex> lock(mutex_);
    ++sent_[number];
    changed_.notify_all();
    changed_.wait(lock, [&] { return released_[number]; });
    return fails_[number] ? Status(Code::kUnavailable, "batch " + std::to_string(number)) : Status::Ok();
  }
  void AwaitSent(uint64_t number) {
    Await([&] { return sent_[number] > 0; });
  }
  void Release(uint64_t number, bool fails) {
    const std::lock_guard<std::mutex> lock(mutex_);
    fails_[number] = fails;
    released_[number] = true;
    changed_.notify_all();
  }
  void Tell(const std::string& what) {
    const std::lock_guard<std::mutex> lock(mutex_);
    told_.push_back(what);
    changed_.notify_all();
  }
  std::vector<std::string> AwaitTold(size_t count) {
    Await([&] { return told_.size() >= count; });
    const std::lock_guard<std::mutex> lock(mutex_);
    return told_;
  }
  int sent(uint64_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return sent_[number];
  }

 private:
  void Await(const std::function<bool()>& there) {
    std::unique_lock<std::mutex> lock(mutex_);
    REQUIRE(changed_.wait_for(lock, std::chrono::seconds(60), there));
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int sent_[kBatches + 2] = {};
  bool released_[kBatches + 2] = {}, fails_[kBatches + 2] = {};
  std::vector<std::string> told_;
};

// The acknowledgements that are due when those batches have arrived.
std::vector<std::string> Expected(const std::vector<int>& arrived, int failing) {
  std::vector<std::string> told;
  std::string trouble;
  for (int number = 1; number <= kBatches; ++number) {
    if (std::find(arrived.begin(), arrived.end(), number) == arrived.end()) break;
    if (trouble.empty() && (failing >> (number - 1) & 1)) trouble = "batch " + std::to_string(number);
    told.push_back(std::to_string(number) + ":" + trouble);
  }
  return told;
}

void CheckOrder(const std::vector<int>& order, int failing) {
  Wire wire;
  BatchSender sender([&](uint64_t number, const std::string&) { return wire.Send(number); });
  for (int number = 1; number <= kBatches; ++number) {
    sender.Add("x", [&, number] { wire.Tell(std::to_string(number) + ":" + sender.trouble().message()); });
  }
  for (int number = 1; number <= kBatches; ++number) wire.AwaitSent(static_cast<uint64_t>(number));
  std::vector<int> arrived;
  for (const int number : order) {
    wire.Release(static_cast<uint64_t>(number), failing >> (number - 1) & 1);
    arrived.push_back(number);
    const std::vector<std::string> expected = Expected(arrived, failing);
    REQUIRE(wire.AwaitTold(expected.size()) == expected);
  }
  CHECK(sender.all_stored() == (failing == 0));

  // The sender repeats the failed batches, and no others.
  for (int number = 1; number <= kBatches; ++number) wire.Release(static_cast<uint64_t>(number), false);
  sender.Add("", [&] { wire.Tell("again:" + sender.trouble().message()); });
  CHECK(wire.AwaitTold(kBatches + 1).back() == "again:");
  CHECK(sender.all_stored());
  for (int number = 1; number <= kBatches; ++number) {
    CHECK(wire.sent(static_cast<uint64_t>(number)) == 1 + (failing >> (number - 1) & 1));
  }
}

TEST_CASE("batches are acknowledged in their order, whatever the order in which they arrive", "[store][blob]") {
  std::vector<int> order(kBatches);
  std::iota(order.begin(), order.end(), 1);
  do {
    for (int failing = 0; failing < 1 << kBatches; ++failing) {
      INFO("order " << order[0] << order[1] << order[2] << order[3] << ", failing " << failing);
      CheckOrder(order, failing);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("no more batches are under way than may be", "[store][blob]") {
  Wire wire;
  std::atomic<bool> added{false};
  std::thread caller;
  {
    BatchSender sender([&](uint64_t number, const std::string&) { return wire.Send(number); });
    for (int number = 1; number <= kBatches; ++number) sender.Add("x", [&] { wire.Tell(""); });
    for (int number = 1; number <= kBatches; ++number) wire.AwaitSent(static_cast<uint64_t>(number));
    caller = std::thread([&] {
      sender.Add("x", [&] { wire.Tell(""); });
      added = true;
    });
    wire.Release(2, false);  // makes room, although the first is still missing
    wire.AwaitSent(kBatches + 1);
    caller.join();
    CHECK(added);
    for (uint64_t number = 1; number <= kBatches + 1; ++number) wire.Release(number, false);
    CHECK(wire.AwaitTold(kBatches + 1).size() == kBatches + 1);
  }
}

}  // namespace kingpost::batch_sender_test
