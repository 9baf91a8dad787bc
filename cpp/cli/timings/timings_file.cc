// SPDX-License-Identifier: Apache-2.0
#include "cli/timings/timings_file.h"

#include <set>

#include "cli/session/exit_code.h"
#include "cli/session/user_files.h"
#include "cli/timings/trace_event.h"
#include "console/display/labels.h"
#include "model/json_writer.h"

namespace kingpost {

namespace {

bool IsPage(const std::string& file) { return file.ends_with(".html"); }

void TraceOf(const TimedStep& step, bool critical, JsonWriter* json) {
  json->BeginObject();
  json->Key("name");
  json->Text(std::string(step.urn.name()) + " " + LabelOf(step.op).doing);
  json->Key("cat");
  json->Text(StepOpName(step.op));
  json->Key("ph");
  json->Text("X");
  json->Key("pid");
  json->Int(1);
  json->Key("tid");
  json->Int(step.lane);
  json->Key("ts");
  json->Int(step.begin.count());
  json->Key("dur");
  json->Int(step.duration().count());
  json->Key("args");
  json->BeginObject();
  json->Key("urn");
  json->Text(step.urn.str());
  json->Key("outcome");
  json->Text(step.failed ? "failed" : step.ended ? "done" : "interrupted");
  json->Key("critical");
  json->Bool(critical);
  json->EndObject();
  json->EndObject();
}

}  // namespace

Status CheckTimingsFile(const std::string& file) {
  if (file.ends_with(".json") || IsPage(file)) return Status::Ok();
  return UsageError("--timings=" + file + ": a file's name has to end with .json (a trace) or .html (a page)");
}

std::string TimingsTrace(const std::string& title, const std::vector<TimedStep>& steps) {
  const std::vector<size_t> path = CriticalPath(steps);
  const std::set<size_t> critical(path.begin(), path.end());
  JsonWriter json("");
  json.BeginObject();
  json.Key("displayTimeUnit");
  json.Text("ms");
  json.Key("traceEvents");
  json.BeginArray();
  WriteTraceName("process_name", 0, title, &json);
  int lanes = 0;
  for (const TimedStep& step : steps) lanes = std::max(lanes, step.lane);
  for (int lane = 1; lane <= lanes; ++lane) WriteTraceName("thread_name", lane, "slot " + std::to_string(lane), &json);
  for (size_t i = 0; i < steps.size(); ++i) TraceOf(steps[i], critical.count(i) > 0, &json);
  json.EndArray();
  json.EndObject();
  return json.str() + "\n";
}

Status WriteTimingsFile(const std::string& file, const std::string& title, const std::vector<TimedStep>& steps) {
  return WriteOutput(file, IsPage(file) ? TimingsPage(title, steps) : TimingsTrace(title, steps));
}

}  // namespace kingpost
