// SPDX-License-Identifier: Apache-2.0
// The displays of a running operation. Each consumes events on its own thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/wait_scope.h"
#include "console/display/masking.h"
#include "console/display/output.h"
#include "console/display/show_options.h"
#include "console/display/sink_queue.h"
#include "console/display/terminal.h"
#include "kingpost/engine.h"

namespace kingpost {

struct DisplayOptions {
  OperationKind kind = OperationKind::kUpdate;
  bool preview = false;
  std::string project;
  std::string stack;  // its short name
  ShowOptions show;
  bool color = false;
  int fd = 1;
  TextSink sink;                  // takes all in place of fd
  bool is_part_of_fleet = false;  // of what is shown of many stacks: without a title and a summary of its own
  std::shared_ptr<const Masking> masking;
  std::function<int()> interruptions;  // how often the operation was interrupted so far; any thread
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  std::function<std::optional<Wait>()> waits = LongestWait;  // for services that do not answer

  // The name of the resource that stands for the stack.
  std::string StackResource() const { return project + "-" + stack; }
};

// Lines for what is said, begins and ends, as it happens, and now and then what still runs; then the sections. For
// pipes and logs.
std::unique_ptr<EventConsumer> NewPlainProgress(DisplayOptions options);

// A tree in place: one line per resource, as many as the screen has room for; at the end the whole tree.
std::unique_ptr<EventConsumer> NewTreeProgress(DisplayOptions options);
// Whether there is one, or another display that is drawn in place, which nobody else may write into.
bool IsLiveDisplayShown();
class LiveDisplayScope {
 public:
  LiveDisplayScope();
  ~LiveDisplayScope();
  LiveDisplayScope(const LiveDisplayScope&) = delete;
};

// The property diff of each step as it begins (--diff).
std::unique_ptr<EventConsumer> NewDiffDisplay(DisplayOptions options);

// Keeps the steps of a preview; Text() is the same diff, for "details" before the question is answered. Any thread
// after the queue has finished.
class PreviewDetails : public EventSink {
 public:
  explicit PreviewDetails(DisplayOptions options) : options_(std::move(options)) {}
  void Emit(const EngineEvent& event) override;
  std::string Text() const;

 private:
  const DisplayOptions options_;
  std::vector<StepMetadata> steps_;
};

}  // namespace kingpost
