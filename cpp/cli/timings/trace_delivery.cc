// SPDX-License-Identifier: Apache-2.0
// Where a trace goes: files, and collectors of OpenTelemetry over HTTP.
#include <algorithm>
#include <string_view>

#include "base/os.h"
#include "cli/session/exit_code.h"
#include "cli/session/user_files.h"
#include "cli/timings/trace.h"
#include "remote/http/http_client.h"

namespace kingpost {

namespace {

// "/tmp/t.json" of "file:/tmp/t.json", "file:///tmp/t.json" and "file:t.json" ("t.json"); "" of other addresses.
std::string FileOf(const std::string& address) {
  constexpr std::string_view kScheme = "file:";
  if (!address.starts_with(kScheme)) return "";
  const std::string path = address.substr(kScheme.size());
  return path.starts_with("//") ? path.substr(2) : path;
}

bool IsHttp(const std::string& address) { return address.starts_with("http://") || address.starts_with("https://"); }

// Collectors take traces below this path, as OTEL_EXPORTER_OTLP_ENDPOINT has it too.
std::string CollectorUrl(const std::string& address) {
  const size_t path = address.find('/', address.find("://") + 3);
  if (path == std::string::npos) return address + "/v1/traces";
  return path + 1 == address.size() ? address + "v1/traces" : address;
}

// "api-key=abc,team=infra" of OTEL_EXPORTER_OTLP_HEADERS.
void AddHeaders(HttpRequest* request) {
  const std::string list = GetEnvironment("OTEL_EXPORTER_OTLP_HEADERS");
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const size_t equals = list.find('=', begin);
    if (equals < end)
      request->headers.emplace_back(list.substr(begin, equals - begin), list.substr(equals + 1, end - equals - 1));
    begin = end + 1;
  }
}

Status SendTo(const std::string& address, const std::string& otlp) {
  HttpRequest request;
  request.method = "POST";
  request.url = CollectorUrl(address);
  request.headers = {{"Content-Type", "application/json"}};
  AddHeaders(&request);
  request.body = otlp;
  const Result<HttpResponse> response = SendHttp(request);
  if (!response.ok()) return response.status();
  if (response->ok()) return Status::Ok();
  return Status(Code::kUnavailable,
                PrintableUrl(request.url) + " answered with status " + std::to_string(response->status));
}

}  // namespace

Status CheckTraceTargets(const TraceTargets& targets) {
  if (!targets.tracing.empty() && FileOf(targets.tracing).empty()) {
    return UsageError("--tracing " + PrintableUrl(targets.tracing) +
                      ": traces are written to files here: --tracing file:PATH for Perfetto, or --otel-traces "
                      "http://HOST:4318 for a collector of OpenTelemetry");
  }
  if (!targets.otel.empty() && FileOf(targets.otel).empty() && !IsHttp(targets.otel)) {
    return UsageError("--otel-traces " + PrintableUrl(targets.otel) +
                      ": expected file://PATH, or the HTTP port of a collector, such as http://localhost:4318");
  }
  return Status::Ok();
}

Status DeliverTrace(const Trace& trace, const TraceTargets& targets) {
  Status first;
  const auto note = [&first](const Status& status) {
    if (first.ok() && !status.ok()) first = status;
  };
  if (!targets.tracing.empty()) note(WritePrivateOutput(FileOf(targets.tracing), trace.ChromeJson()));
  if (targets.otel.empty()) return first;
  const std::string file = FileOf(targets.otel);
  note(file.empty() ? SendTo(targets.otel, trace.OtlpJson()) : WritePrivateOutput(file, trace.OtlpJson()));
  return first;
}

}  // namespace kingpost
