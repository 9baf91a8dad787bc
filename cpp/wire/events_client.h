// SPDX-License-Identifier: Apache-2.0
// Sends the event log to a listener over gRPC: `--event-log tcp://host:port`, the Automation API's way (row 9.9).
//
// The listener is a spectator: if it is slow, events wait in a bounded queue; if it is dead or lets the queue overflow,
// they are forgotten. Owns one thread, which does the writing. Any thread may call Send, one at a time for order.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/status.h"

namespace kingpost {

class EventsClient {
 public:
  // "tcp://host:port" or "host:port". Connects in the background.
  static Result<std::unique_ptr<EventsClient>> Open(const std::string& url);
  ~EventsClient();  // Close()
  EventsClient(const EventsClient&) = delete;

  void Send(std::string json_line);
  // Sends what is queued, ends the stream and waits for the listener's answer, 5 s at most. Blocks: not on the loop.
  void Close();
  // True if the listener has gone or never came.
  bool failed();

 private:
  struct Call;  // gRPC's part

  explicit EventsClient(std::unique_ptr<Call> call);
  void Work();
  bool Next(std::string* line);

  static constexpr size_t kQueuedBytesMax = 64 * 1024 * 1024;

  const std::unique_ptr<Call> call_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> queue_;
  size_t queued_bytes_ = 0;
  bool closing_ = false, failed_ = false, done_ = false;
  std::thread thread_;
};

}  // namespace kingpost
