// SPDX-License-Identifier: Apache-2.0
// Tells how far something long has come, often enough for people and no oftener (row 10.9). One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "kingpost/event.h"

namespace kingpost {

using ProgressSink = std::function<void(ProgressEvent event)>;

class ProgressReporter {
 public:
  // `sink` may be null.
  ProgressReporter(const ProgressSink& sink, std::string type, const std::string& what, const std::string& message)
      : sink_(sink) {
    event_.id = type + ":" + what;
    event_.type = std::move(type);
    event_.message = message + " " + what;
  }
  ~ProgressReporter() {
    if (!begun_ || !sink_) return;
    event_.done = true;
    sink_(event_);
  }
  ProgressReporter(const ProgressReporter&) = delete;

  // Reports the first at once and others at most every 100 ms; the destructor reports the end. A total below zero is
  // not known.
  void Update(int64_t received, int64_t total) {
    event_.received = received;
    event_.total = total < 0 ? 0 : total;
    const auto now = std::chrono::steady_clock::now();
    if (!sink_ || (begun_ && now - told_ < kInterval)) return;
    begun_ = true;
    told_ = now;
    sink_(event_);
  }

 private:
  static constexpr std::chrono::milliseconds kInterval{100};

  const ProgressSink& sink_;
  ProgressEvent event_;
  bool begun_ = false;
  std::chrono::steady_clock::time_point told_;
};

}  // namespace kingpost
