// SPDX-License-Identifier: Apache-2.0
// The work of one run of the command with its times, for tools that show it. The flag --otel-traces writes
// OpenTelemetry (OTLP in JSON, to a file or by HTTP to a collector). The flag --tracing writes the trace events of
// Chrome, which Perfetto opens.
//
//     kingpost up
//       preview                         a run of the engine
//         start of the SDK, program
//         Check, Diff, Create ...       calls of providers, with the URN
//         create aws:s3:Bucket ...      steps of resources
//       update
//
// Names and URNs only: no inputs, no outputs. Loop and main thread, one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/timings/step_times.h"
#include "cli/timings/timings.h"

namespace kingpost {

class JsonWriter;

struct TraceSpan {
  std::string name, kind;  // kind: "provider calls", "step", ...
  int parent = -1;         // place in the list
  Timings::Clock::time_point begin, end;
  std::map<std::string, std::string> attributes;
  std::string failure;
};

class Trace {
 public:
  explicit Trace(const std::string& command);  // begins the first span, which all others belong to

  size_t Begin(const std::string& name, const std::string& kind, size_t parent);
  void End(size_t span, const std::string& failure = "");
  void Add(const Timings::Work& work, size_t parent);
  void Add(const TimedStep& step, Timings::Clock::time_point since, size_t parent);

  std::string OtlpJson() const;    // one ExportTraceServiceRequest
  std::string ChromeJson() const;  // {"traceEvents": [...]}
  const std::vector<TraceSpan>& spans() const { return spans_; }

 private:
  void WriteOtlpSpan(size_t at, JsonWriter* json) const;
  std::string SpanId(size_t span) const;
  int64_t UnixNanoseconds(Timings::Clock::time_point at) const;

  std::mutex mutex_;  // runs that are under way side by side add to it
  std::vector<TraceSpan> spans_;
  std::string trace_id_, parent_id_;  // in hex; parent_id_ is who called us, "" for nobody
  uint64_t first_id_ = 0;
  Timings::Clock::time_point begun_;
  int64_t begun_unix_ns_ = 0;
};

// Where the trace goes; "" for nowhere.
struct TraceTargets {
  std::string tracing, otel;  // as --tracing and --otel-traces have them

  bool any() const { return !tracing.empty() || !otel.empty(); }
};
Status CheckTraceTargets(const TraceTargets& targets);
Status DeliverTrace(const Trace& trace, const TraceTargets& targets);

}  // namespace kingpost
