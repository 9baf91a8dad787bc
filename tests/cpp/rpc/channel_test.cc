// SPDX-License-Identifier: Apache-2.0
// What a call holds is released on the loop's thread, never on gRPC's: the last channel to go joins gRPC's threads.
#include "rpc/channel.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <thread>

namespace kingpost::channel_test {

using namespace std::chrono_literals;

struct Answer {};

// Notes where it was destroyed.
struct Question {
  std::optional<std::thread::id>* released_on = nullptr;

  Question() = default;
  explicit Question(std::optional<std::thread::id>* note) : released_on(note) {}
  Question(const Question&) = delete;
  Question(Question&& other) noexcept : released_on(std::exchange(other.released_on, nullptr)) {}
  Question& operator=(Question&& other) noexcept {
    released_on = std::exchange(other.released_on, nullptr);
    return *this;
  }
  ~Question() {
    if (released_on) *released_on = std::this_thread::get_id();
  }
};

// Like gRPC, it calls back on a thread of its own and lets go of the callback only after that.
class SlowStub {
 public:
  ~SlowStub() { Join(); }
  void Ask(grpc::ClientContext*, const Question*, Answer*, std::function<void(grpc::Status)> done) {
    thread_ = std::thread([done = std::move(done)]() mutable {
      done(grpc::Status::OK);
      std::this_thread::sleep_for(50ms);
      done = nullptr;
    });
  }
  void Join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

Task<bool> AskOnce(Loop& loop, SlowStub* stub, Question question) {
  auto calling = RawCall(loop, stub, &SlowStub::Ask, std::move(question));
  const auto answer = co_await std::move(calling);
  co_return answer.status.ok();
}

TEST_CASE("what a call holds is released on the loop's thread") {
  std::optional<std::thread::id> released_on;
  Loop loop;
  SlowStub stub;
  REQUIRE(loop.RunUntilDone(AskOnce(loop, &stub, Question(&released_on))));
  stub.Join();
  REQUIRE(released_on);
  CHECK(*released_on == std::this_thread::get_id());
}

}  // namespace kingpost::channel_test
