// SPDX-License-Identifier: Apache-2.0
#include "console/display/event_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <ctime>

#include "base/disk/private_output.h"
#include "console/display/event_json.h"
#include "console/display/output.h"
#include "console/display/terminal.h"

namespace kingpost {

namespace {

// Steps that only the engine cares for, as those of default providers.
bool IsInternal(const EngineEvent& event) {
  if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) return pre->metadata.internal;
  if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) return outputs->metadata.internal;
  return std::holds_alternative<StartDebuggingEvent>(event);
}

class JsonLines : public EventConsumer {
 public:
  JsonLines(int fd, std::shared_ptr<const Masking> masking)
      : output_(fd, true), with_internal_(true), masking_(std::move(masking)) {}
  JsonLines(std::shared_ptr<const Masking> masking, TextSink sink)
      : output_(STDOUT_FILENO, std::move(sink)), with_internal_(false), masking_(std::move(masking)) {}

  // A hidden event has a number all the same: both kinds of streams number an event alike.
  void Consume(const EngineEvent& event) override {
    if (!output_.alive()) return;
    const int64_t number = sequence_++;
    if (!with_internal_ && IsInternal(event)) return;
    output_.Write(PrintableJson(EncodeEvent(event, number, std::time(nullptr), *masking_)) + "\n");
  }

 private:
  Output output_;
  const bool with_internal_;
  const std::shared_ptr<const Masking> masking_;
  int64_t sequence_ = 0;
};

}  // namespace

Result<std::unique_ptr<EventConsumer>> NewFileEventLog(const std::string& path,
                                                       std::shared_ptr<const Masking> masking) {
  const Result<int> fd = OpenPrivateOutput(path, O_NONBLOCK);
  if (!fd.ok()) return fd.status().Wrap("cannot write the event log");
  ::fcntl(*fd, F_SETFL, ::fcntl(*fd, F_GETFL) & ~O_NONBLOCK);
  std::unique_ptr<EventConsumer> log = std::make_unique<JsonLines>(*fd, std::move(masking));
  return log;
}

std::unique_ptr<EventConsumer> NewEventStream(std::shared_ptr<const Masking> masking, TextSink sink) {
  return std::make_unique<JsonLines>(std::move(masking), std::move(sink));
}

}  // namespace kingpost
