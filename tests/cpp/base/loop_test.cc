// What other threads bring, in time and too late.
#include "base/loop.h"

#include <catch2/catch.hpp>
#include <optional>
#include <thread>

namespace kingpost::loop_test {

Task<int> Receive(Completion<int> value) { co_return co_await value; }

TEST_CASE("a value that another thread brings resumes its waiter on the loop") {
  Loop loop;
  Completion<int> value(loop);
  std::thread bringer([value] { value.Set(7); });
  CHECK(loop.RunUntilDone(Receive(value)) == 7);
  bringer.join();
}

TEST_CASE("of a value that arrives twice the first counts") {
  Loop loop;
  const Completion<int> value(loop);
  value.Set(1);
  value.Set(2);
  CHECK(loop.RunUntilDone(Receive(value)) == 1);
}

TEST_CASE("what comes when the loop has gone is not run and does no harm") {
  std::shared_ptr<Inbox> inbox;
  std::optional<Completion<int>> value;
  bool ran = false;
  {
    Loop loop;
    inbox = loop.inbox();
    value.emplace(loop);
  }
  std::thread late([&] {
    inbox->Post([&ran] { ran = true; });
    inbox->PostAfter(std::chrono::milliseconds(0), [&ran] { ran = true; });
    value->Set(1);
  });
  late.join();
  CHECK_FALSE(ran);
}

TEST_CASE("a loop that goes drops what it did not run, and what that posts once more") {
  const auto kept = std::make_shared<int>(0);
  std::shared_ptr<Inbox> inbox;
  {
    Loop loop;
    inbox = loop.inbox();
    const auto post_on_release = [inbox](int* number) {
      delete number;
      inbox->Post([] {});
    };
    const std::shared_ptr<int> last_words(new int(1), post_on_release);
    loop.Post([kept, last_words] {});
    loop.PostAfter(std::chrono::hours(1), [kept] {});
    CHECK(kept.use_count() == 3);
  }
  CHECK(kept.use_count() == 1);
}

}  // namespace kingpost::loop_test
