// SPDX-License-Identifier: Apache-2.0
#include "cli/timings/trace.h"

#include <algorithm>
#include <cstdio>

#include "base/os.h"
#include "base/random_bytes.h"
#include "cli/timings/trace_event.h"
#include "console/display/labels.h"
#include "model/json_writer.h"
#include "model/version_range.h"

namespace kingpost {

namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr size_t kTraceIdDigits = 32, kSpanIdDigits = 16;

std::string Hex(uint64_t number) {
  char text[kSpanIdDigits + 1];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

uint64_t RandomNumber() {
  uint64_t number = 0;
  for (const char byte : RandomBytes(sizeof number)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

bool IsHex(const std::string& text) {
  return text.find_first_not_of("0123456789abcdef") == std::string::npos &&
         text.find_first_not_of('0') != std::string::npos;
}

void WriteAttribute(const std::string& key, const std::string& value, JsonWriter* json) {
  json->BeginObject();
  json->Key("key");
  json->Text(key);
  json->Key("value");
  json->BeginObject();
  json->Key("stringValue");
  json->Text(value);
  json->EndObject();
  json->EndObject();
}

void WriteAttributes(const std::map<std::string, std::string>& attributes, JsonWriter* json) {
  json->Key("attributes");
  json->BeginArray();
  for (const auto& [key, value] : attributes) WriteAttribute(key, value, json);
  json->EndArray();
}

// The kinds and states of the protocol are numbers.
constexpr int kInternal = 1, kClient = 3, kOk = 1, kError = 2;

// A row of the picture for each span, such that no two of a row overlap.
std::vector<int> LanesOf(const std::vector<TraceSpan>& spans) {
  std::vector<size_t> order(spans.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return spans[a].begin < spans[b].begin; });
  std::map<std::string, std::vector<std::pair<int, Timings::Clock::time_point>>> ends;  // by kind
  std::vector<int> lanes(spans.size());
  int next = 1;
  for (const size_t at : order) {
    auto& rows = ends[spans[at].kind];
    const auto free =
        std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.second <= spans[at].begin; });
    if (free == rows.end()) {
      rows.emplace_back(next, spans[at].end);
      lanes[at] = next++;
    } else {
      free->second = spans[at].end;
      lanes[at] = free->first;
    }
  }
  return lanes;
}

void WriteChromeEvent(const TraceSpan& span, int lane, int64_t begin_us, JsonWriter* json) {
  json->BeginObject();
  json->Key("name");
  json->Text(span.name);
  json->Key("cat");
  json->Text(span.kind);
  json->Key("ph");
  json->Text("X");
  json->Key("pid");
  json->Int(1);
  json->Key("tid");
  json->Int(lane);
  json->Key("ts");
  json->Int(begin_us);
  json->Key("dur");
  json->Int(duration_cast<microseconds>(span.end - span.begin).count());
  json->Key("args");
  json->BeginObject();
  for (const auto& [key, value] : span.attributes) {
    json->Key(key);
    json->Text(value);
  }
  json->TextUnlessEmpty("failure", span.failure);
  json->EndObject();
  json->EndObject();
}

}  // namespace

Trace::Trace(const std::string& command) : begun_(Timings::Clock::now()) {
  begun_unix_ns_ = duration_cast<nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  // 00-TRACE-SPAN-FLAGS, of a pipeline that we are a part of.
  const std::string parent = GetEnvironment("TRACEPARENT");
  const bool is_part = parent.size() >= 4 + kTraceIdDigits + kSpanIdDigits && parent[2] == '-' &&
                       IsHex(parent.substr(3, kTraceIdDigits)) &&
                       IsHex(parent.substr(4 + kTraceIdDigits, kSpanIdDigits));
  trace_id_ = is_part ? parent.substr(3, kTraceIdDigits) : Hex(RandomNumber()) + Hex(RandomNumber() | 1);
  if (is_part) parent_id_ = parent.substr(4 + kTraceIdDigits, kSpanIdDigits);
  first_id_ = RandomNumber() >> 1 | 1;  // the spans that follow count on from it
  TraceSpan first;
  first.name = command;
  first.kind = "command";
  first.begin = first.end = begun_;
  spans_.push_back(std::move(first));
}

size_t Trace::Begin(const std::string& name, const std::string& kind, size_t parent) {
  const std::lock_guard<std::mutex> lock(mutex_);
  TraceSpan span;
  span.name = name;
  span.kind = kind;
  span.parent = static_cast<int>(parent);
  span.begin = span.end = Timings::Clock::now();
  spans_.push_back(std::move(span));
  return spans_.size() - 1;
}

void Trace::End(size_t span, const std::string& failure) {
  const std::lock_guard<std::mutex> lock(mutex_);
  spans_[span].end = Timings::Clock::now();
  spans_[span].failure = failure;
}

void Trace::Add(const Timings::Work& work, size_t parent) {
  const std::lock_guard<std::mutex> lock(mutex_);
  TraceSpan span;
  span.kind = ActivityName(work.activity);
  span.name = work.what.empty() ? span.kind : work.what;
  span.parent = static_cast<int>(parent);
  span.begin = work.begin;
  span.end = work.end;
  if (!work.about.empty()) span.attributes["about"] = work.about;
  span.failure = work.failure;
  spans_.push_back(std::move(span));
}

void Trace::Add(const TimedStep& step, Timings::Clock::time_point since, size_t parent) {
  const std::lock_guard<std::mutex> lock(mutex_);
  TraceSpan span;
  span.kind = "step";
  span.name = StepOpName(step.op) + std::string(" ") + step.type + " " + std::string(step.urn.name());
  span.parent = static_cast<int>(parent);
  span.begin = since + step.begin;
  span.end = since + step.end;
  span.attributes["urn"] = step.urn.str();
  span.attributes["op"] = StepOpName(step.op);
  if (step.failed) span.failure = "failed";
  if (!step.ended) span.failure = "interrupted";
  spans_.push_back(std::move(span));
}

std::string Trace::SpanId(size_t span) const { return Hex(first_id_ + span); }

int64_t Trace::UnixNanoseconds(Timings::Clock::time_point at) const {
  return begun_unix_ns_ + duration_cast<nanoseconds>(at - begun_).count();
}

std::string Trace::OtlpJson() const {
  JsonWriter json;
  json.BeginObject();
  json.Key("resourceSpans");
  json.BeginArray();
  json.BeginObject();
  json.Key("resource");
  json.BeginObject();
  WriteAttributes({{"service.name", "kingpost"}, {"service.version", kPulumiVersion}}, &json);
  json.EndObject();
  json.Key("scopeSpans");
  json.BeginArray();
  json.BeginObject();
  json.Key("scope");
  json.BeginObject();
  json.Key("name");
  json.Text("kingpost");
  json.EndObject();
  json.Key("spans");
  json.BeginArray();
  for (size_t i = 0; i < spans_.size(); ++i) WriteOtlpSpan(i, &json);
  json.EndArray();
  json.EndObject();
  json.EndArray();
  json.EndObject();
  json.EndArray();
  json.EndObject();
  return json.str() + "\n";
}

void Trace::WriteOtlpSpan(size_t at, JsonWriter* json) const {
  const TraceSpan& span = spans_[at];
  json->BeginObject();
  json->Key("traceId");
  json->Text(trace_id_);
  json->Key("spanId");
  json->Text(SpanId(at));
  json->TextUnlessEmpty("parentSpanId", span.parent < 0 ? parent_id_ : SpanId(static_cast<size_t>(span.parent)));
  json->Key("name");
  json->Text(span.name);
  json->Key("kind");
  json->Int(span.kind == ActivityName(Timings::Activity::kProviderCall) ? kClient : kInternal);
  json->Key("startTimeUnixNano");
  json->Text(std::to_string(UnixNanoseconds(span.begin)));
  json->Key("endTimeUnixNano");
  json->Text(std::to_string(UnixNanoseconds(span.end)));
  std::map<std::string, std::string> attributes = span.attributes;
  attributes["kingpost.kind"] = span.kind;
  WriteAttributes(attributes, json);
  json->Key("status");
  json->BeginObject();
  json->Key("code");
  json->Int(span.failure.empty() ? kOk : kError);
  json->TextUnlessEmpty("message", span.failure);
  json->EndObject();
  json->EndObject();
}

std::string Trace::ChromeJson() const {
  const std::vector<int> lanes = LanesOf(spans_);
  std::map<int, std::string> kinds;
  for (size_t i = 0; i < spans_.size(); ++i) kinds[lanes[i]] = spans_[i].kind;
  JsonWriter json;
  json.BeginObject();
  json.Key("displayTimeUnit");
  json.Text("ms");
  json.Key("traceEvents");
  json.BeginArray();
  for (const auto& [lane, kind] : kinds) WriteTraceName("thread_name", lane, kind, &json);
  for (size_t i = 0; i < spans_.size(); ++i) {
    WriteChromeEvent(spans_[i], lanes[i], duration_cast<microseconds>(spans_[i].begin - begun_).count(), &json);
  }
  json.EndArray();
  json.EndObject();
  return json.str() + "\n";
}

}  // namespace kingpost
