// SPDX-License-Identifier: Apache-2.0
#include "processes/program_runner.h"

namespace kingpost {

namespace {

constexpr size_t kErrorTailBytes = 16 * 1024;

void AddToTail(const std::string& line, std::string* tail) {
  *tail += line + "\n";
  if (tail->size() > 2 * kErrorTailBytes) tail->erase(0, tail->size() - kErrorTailBytes);
}

}  // namespace

ProgramRunner::LineHandler ProgramRunner::CollectOutput(std::string* text) {
  return [text](OutputStream stream, const std::string& line) {
    if (stream == OutputStream::kStdout) *text += line + "\n";
  };
}

Task<Result<ProcessExit>> ProgramRunner::RunToEnd(ProcessSpec spec, LineHandler on_line, std::string* errors) {
  PluginProcessOptions options;
  options.prefix = name_;
  options.expects_port = false;
  options.on_line = [on_line, errors](OutputStream stream, std::string line) {
    if (errors && stream == OutputStream::kStderr) AddToTail(line, errors);
    on_line(stream, std::move(line));
  };
  if (cancelled_) co_return Status(Code::kCancelled, "the program was not started: the operation is cancelled");
  auto process = PluginProcess::Start(loop_, supervisor_, std::move(spec), std::move(options));
  if (!process.ok()) co_return process.status().Wrap("problem executing program");
  process_ = *process;
  auto waiting = process_->Wait();
  const ProcessExit exit = co_await std::move(waiting);
  process_ = nullptr;
  co_return exit;
}

Task<void> ProgramRunner::Cancel() {
  cancelled_ = true;
  auto process = process_;
  if (!process) co_return;
  auto stopping = process->Stop();
  co_await std::move(stopping);
}

}  // namespace kingpost
