// SPDX-License-Identifier: Apache-2.0
#include "console/log/command_log.h"

#include <errno.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>

#include "base/clock.h"
#include "base/disk/private_output.h"
#include "base/engine_log.h"
#include "base/os.h"
#include "console/display/event_json.h"
#include "console/display/output.h"
#include "model/json_writer.h"
#include "model/secret_texts.h"

namespace kingpost {

namespace {

// The number of a line is its level; the word for it is that of the reference.
const char* Word(int level) { return level <= 0 ? "WARN" : level >= 11 ? "DEBUG-4" : level == 10 ? "DEBUG" : "INFO"; }

class LogWriter {
 public:
  explicit LogWriter(int fd)
      : output_(fd), maskings_{std::make_shared<const Masking>(NoTexts(), false, &SecretsSeen())} {}

  void Write(int level, const std::string& line) {
    std::lock_guard lock(mutex_);
    JsonWriter json;
    json.BeginObject();
    json.Key("time");
    json.Text(NowRfc3339());
    json.Key("level");
    json.Text(Word(level));
    json.Key("msg");
    std::string masked = line;
    for (const auto& masking : maskings_) masked = masking->Text(masked);
    json.Text(masked);
    json.Key("v");
    json.Int(level);
    json.EndObject();
    output_.Write(json.str() + "\n");
  }

  void Add(std::shared_ptr<const Masking> masking) {
    std::lock_guard lock(mutex_);
    maskings_.push_back(std::move(masking));
  }

 private:
  static std::vector<std::string> NoTexts() { return {}; }

  std::mutex mutex_;
  Output output_;
  std::vector<std::shared_ptr<const Masking>> maskings_;
};

LogWriter* writer = nullptr;  // for the life of the process: threads may log until its end

std::string LogFileName() {
  std::string host = HostName();
  host = host.substr(0, host.find('.'));
  std::string user = UserName();
  for (char& c : user) c = c == '/' ? '_' : c;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  char time[32];
  std::strftime(time, sizeof time, "%Y%m%d-%H%M%S", &local);
  return TemporaryFilesFolder() + "/" + program_invocation_short_name + "." + host + "." + user + ".log.INFO." + time +
         "." + std::to_string(::getpid());
}

std::string StepText(const char* what, const StepMetadata& step) {
  return std::string(what) + " " + StepOpName(step.op) + " " + step.urn.str();
}

}  // namespace

Result<std::string> StartCommandLog(const LogOptions& options) {
  if (!options.any()) return std::string();
  std::string file;
  int fd = STDERR_FILENO;
  if (!options.to_standard_error) {
    file = LogFileName();
    const Result<int> opened = OpenPrivateOutput(file);
    if (!opened.ok()) return opened.status().Wrap("the log of --verbose");
    fd = *opened;
  }
  writer = new LogWriter(fd);
  StartLog(options.verbose, [](int level, const std::string& line) { writer->Write(level, line); });
  return file;
}

void SetLogMasking(std::shared_ptr<const Masking> masking) {
  if (writer) writer->Add(std::move(masking));
}

void LoggedEvents::Emit(const EngineEvent& event) {
  if (const auto* diagnostic = std::get_if<DiagnosticEvent>(&event)) {
    const Severity severity = diagnostic->severity;
    const bool is_bad = severity == Severity::kError || severity == Severity::kWarning;
    const std::string where = diagnostic->urn.empty() ? "" : diagnostic->urn.str() + ": ";
    WriteLog(is_bad ? 0 : severity == Severity::kDebug ? 9 : 1, where + diagnostic->message);
  } else if (const auto* begun = std::get_if<ResourcePreEvent>(&event)) {
    if (IsLogEnabled(5)) WriteLog(5, StepText("begins:", begun->metadata));
  } else if (const auto* done = std::get_if<ResourceOutputsEvent>(&event)) {
    if (IsLogEnabled(5)) WriteLog(5, StepText("done:", done->metadata));
  } else if (const auto* failed = std::get_if<ResourceFailedEvent>(&event)) {
    if (IsLogEnabled(1)) WriteLog(1, StepText("failed:", failed->metadata));
  }
  if (!IsLogEnabled(11)) return;
  static const Masking* const masking = new Masking();
  WriteLog(11, "event " + EncodeEvent(event, sequence_++, std::time(nullptr), *masking));
}

}  // namespace kingpost
