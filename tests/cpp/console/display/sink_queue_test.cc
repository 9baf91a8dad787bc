// SPDX-License-Identifier: Apache-2.0
// Checks that a slow reader loses only messages, and learns how many.
#include "console/display/sink_queue.h"

#include <catch2/catch.hpp>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace kingpost::sink_queue_test {

using namespace std::chrono_literals;

struct Read {
  std::vector<std::string> messages;
  size_t errors = 0, others = 0;
  bool finished = false;
};

// Reads nothing until the test lets it.
class SlowReader : public EventConsumer {
 public:
  SlowReader(std::shared_future<void> may_read, std::shared_ptr<Read> read)
      : may_read_(std::move(may_read)), read_(std::move(read)) {}
  void Consume(const EngineEvent& event) override {
    may_read_.wait();
    const auto* message = std::get_if<DiagnosticEvent>(&event);
    if (!message) {
      ++read_->others;
    } else if (message->severity == Severity::kError) {
      ++read_->errors;
    } else {
      read_->messages.push_back(message->message.substr(0, 100));
    }
  }
  void Finish() override { read_->finished = true; }

 private:
  std::shared_future<void> may_read_;
  std::shared_ptr<Read> read_;
};

EngineEvent Said(const std::string& text, Severity severity = Severity::kInfo) {
  DiagnosticEvent event;
  event.message = text;
  event.severity = severity;
  return event;
}

TEST_CASE("a queue without a reader keeps as many messages as fit, and counts the rest", "[cli]") {
  std::promise<void> let;
  const auto read = std::make_shared<Read>();
  SinkQueue queue(std::make_unique<SlowReader>(let.get_future().share(), read), 0ms);
  const std::string megabyte(1 << 20, 'x');
  constexpr int kCount = 1000;
  for (int i = 0; i < kCount; ++i) {
    queue.Emit(Said(std::to_string(i) + " " + megabyte));
    queue.Emit(Said("", Severity::kError));
    queue.Emit(SummaryEvent());
  }
  let.set_value();
  REQUIRE(queue.Finish(60s));
  CHECK(read->finished);
  CHECK(read->errors == kCount);
  CHECK(read->others == kCount);
  size_t told = 0, kept = 0;
  for (const std::string& text : read->messages) {
    const bool is_notice = text.find(" left out here: ") != std::string::npos;
    told += is_notice ? std::stoul(text) : 0;
    kept += is_notice ? 0 : 1;
  }
  CHECK(kept + told == kCount);
  CHECK(kept >= 60);
  CHECK(kept < 200);
  CHECK(read->messages.front().starts_with("0 "));
}

TEST_CASE("a reader that keeps up gets every message", "[cli]") {
  std::promise<void> let;
  let.set_value();
  const auto read = std::make_shared<Read>();
  SinkQueue queue(std::make_unique<SlowReader>(let.get_future().share(), read), 0ms);
  for (int i = 0; i < 50'000; ++i) queue.Emit(Said(std::to_string(i)));
  REQUIRE(queue.Finish(60s));
  REQUIRE(read->messages.size() == 50'000);
  CHECK(read->messages.back() == "49999");
}

}  // namespace kingpost::sink_queue_test
