// SPDX-License-Identifier: Apache-2.0
// Takes events off the engine thread: a display, a log file or a listener may be as slow as it likes.
//
//     engine thread   Emit ─▶ queue ─▶ consumer thread   Consume, Consume, ..., Tick, ..., Finish
//
// A consumer is used by its own thread only. Finish() ends it. A sink that hangs (a pipe without a reader) gets a limit
// and is then left behind, because an operation must not depend on its viewers. For the same reason messages of a flood
// that it does not take in time are left out and counted; errors and all that is no message are kept.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "kingpost/event.h"

namespace kingpost {

class EventConsumer {
 public:
  virtual ~EventConsumer() = default;
  virtual void Consume(const EngineEvent& event) = 0;
  virtual void Pause() {}   // after events, when no more of them wait
  virtual void Tick() {}    // between events, about every tick interval
  virtual void Finish() {}  // after the last event
};

// For displays on a screen: the interval of Tick, and the limit of Finish.
inline constexpr std::chrono::milliseconds kRedrawInterval{100};
inline constexpr std::chrono::seconds kDisplayLimit{30};

class SinkQueue : public EventSink {
 public:
  // tick of zero: never.
  SinkQueue(std::unique_ptr<EventConsumer> consumer, std::chrono::milliseconds tick);
  ~SinkQueue() override;

  void Emit(const EngineEvent& event) override;
  // Waits until all events are consumed and Finish has run; false if that took longer than the limit.
  bool Finish(std::chrono::milliseconds limit);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

// One event to several sinks, in order.
class FanOut : public EventSink {
 public:
  void Add(EventSink* sink) { sinks_.push_back(sink); }
  void Emit(const EngineEvent& event) override {
    for (EventSink* sink : sinks_) sink->Emit(event);
  }

 private:
  std::vector<EventSink*> sinks_;
};

}  // namespace kingpost
