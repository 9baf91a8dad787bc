// SPDX-License-Identifier: Apache-2.0
// The thread keeps its shared state alive, so a queue that gave up on it can go.
#include "console/display/sink_queue.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>

namespace kingpost {

namespace {

// Events seldom come alone. The thread takes those that follow the first at once, instead of waking a thousand times
// for a thousand resources.
constexpr std::chrono::milliseconds kGather{5};

// How much may wait for a consumer that is slow; as much again may be with the consumer.
constexpr size_t kMessageBytesMax = size_t{64} * 1024 * 1024;

// The memory of a waiting message; 0 for events that are never left out.
size_t MessageBytes(const EngineEvent& event) {
  const auto* message = std::get_if<DiagnosticEvent>(&event);
  if (!message || message->severity == Severity::kError) return 0;
  return sizeof(EngineEvent) + message->message.size();
}

EngineEvent MissingMessages(size_t messages) {
  DiagnosticEvent notice;
  notice.severity = Severity::kWarning;
  notice.message = std::to_string(messages) +
                   (messages == 1 ? " message was left out here: it" : " messages were left out here: they") +
                   " came faster than this output was read";
  return notice;
}

}  // namespace

struct SinkQueue::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<EngineEvent> queue;
  size_t message_bytes = 0;  // of the queue
  size_t left_out = 0;       // messages, behind the end of the queue
  bool closing = false;
  bool finished = false;
  std::chrono::milliseconds tick{0};
  std::unique_ptr<EventConsumer> consumer;  // of the thread

  void Run();
};

void SinkQueue::Shared::Run() {
  auto last_tick = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex);
  while (true) {
    const auto ready = [this] { return !queue.empty() || closing; };
    if (tick.count() > 0) {
      changed.wait_until(lock, last_tick + tick, ready);
    } else {
      changed.wait(lock, ready);
    }
    if (!queue.empty()) changed.wait_for(lock, kGather, [this] { return closing; });
    std::deque<EngineEvent> batch;
    batch.swap(queue);
    message_bytes = 0;
    if (const size_t missing = std::exchange(left_out, 0); missing > 0) batch.push_back(MissingMessages(missing));
    const bool last = closing && batch.empty();
    lock.unlock();

    for (const EngineEvent& event : batch) consumer->Consume(event);
    if (!batch.empty()) consumer->Pause();
    const auto now = std::chrono::steady_clock::now();
    if (tick.count() > 0 && now - last_tick >= tick) {
      consumer->Tick();
      last_tick = now;
    }
    if (last) consumer->Finish();

    lock.lock();
    if (last) break;
  }
  finished = true;
  changed.notify_all();
}

SinkQueue::SinkQueue(std::unique_ptr<EventConsumer> consumer, std::chrono::milliseconds tick)
    : shared_(std::make_shared<Shared>()) {
  shared_->consumer = std::move(consumer);
  shared_->tick = tick;
  std::thread([shared = shared_] { shared->Run(); }).detach();
}

SinkQueue::~SinkQueue() { Finish(std::chrono::seconds(10)); }

void SinkQueue::Emit(const EngineEvent& event) {
  const size_t bytes = MessageBytes(event);
  std::lock_guard lock(shared_->mutex);
  if (bytes > 0 && shared_->message_bytes > 0 && shared_->message_bytes + bytes > kMessageBytesMax) {
    ++shared_->left_out;
    return;
  }
  shared_->message_bytes += bytes;
  shared_->queue.push_back(event);
  if (shared_->queue.size() == 1) shared_->changed.notify_all();
}

bool SinkQueue::Finish(std::chrono::milliseconds limit) {
  std::unique_lock lock(shared_->mutex);
  shared_->closing = true;
  shared_->changed.notify_all();
  return shared_->changed.wait_for(lock, limit, [this] { return shared_->finished; });
}

}  // namespace kingpost
