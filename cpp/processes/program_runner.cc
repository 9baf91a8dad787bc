// SPDX-License-Identifier: Apache-2.0
#include "processes/program_runner.h"

namespace kingpost {

namespace {

constexpr size_t kErrorTailBytes = 16 * 1024;

void AddToTail(const std::string& line, std::string* tail) {
  *tail += line + "\n";
  if (tail->size() > 2 * kErrorTailBytes) tail->erase(0, tail->size() - kErrorTailBytes);
}

Status NotStarted() { return Status(Code::kCancelled, "the program was not started: the operation is cancelled"); }

}  // namespace

ProgramRunner::LineHandler ProgramRunner::CollectOutput(std::string* text) {
  return [text](OutputStream stream, const std::string& line) {
    if (stream == OutputStream::kStdout) *text += line + "\n";
  };
}

PluginProcessOptions ProgramRunner::OptionsFor(LineHandler on_line, std::string* errors) const {
  PluginProcessOptions options;
  options.prefix = name_;
  options.expects_port = false;
  options.on_line = [on_line = std::move(on_line), errors](OutputStream stream, std::string line) {
    if (errors && stream == OutputStream::kStderr) AddToTail(line, errors);
    on_line(stream, std::move(line));
  };
  return options;
}

Task<ProcessExit> ProgramRunner::WaitForEnd() {
  auto waiting = process_->Wait();
  const ProcessExit exit = co_await std::move(waiting);
  process_ = nullptr;
  co_return exit;
}

Task<Result<ProcessExit>> ProgramRunner::RunToEnd(ProcessSpec spec, LineHandler on_line, std::string* errors) {
  if (cancelled_) co_return NotStarted();
  auto process = PluginProcess::Start(loop_, supervisor_, std::move(spec), OptionsFor(std::move(on_line), errors));
  if (!process.ok()) co_return process.status().Wrap("problem executing program");
  process_ = *process;
  auto waiting = WaitForEnd();
  co_return co_await std::move(waiting);
}

Task<Result<ProcessExit>> ProgramRunner::RunStandby(std::shared_ptr<StandbyProcess> standby, std::string message,
                                                    WorkerPool* pool, LineHandler on_line, std::string* errors) {
  if (cancelled_) co_return NotStarted();
  process_ = standby->Take(loop_, OptionsFor(std::move(on_line), errors));
  auto tell = [standby, message] {
    standby->Tell(message);
    return true;
  };
  auto telling = pool->Run(std::move(tell));
  co_await std::move(telling);
  auto waiting = WaitForEnd();
  co_return co_await std::move(waiting);
}

Task<void> ProgramRunner::Cancel() {
  cancelled_ = true;
  auto process = process_;
  if (!process) co_return;
  auto stopping = process->Stop();
  co_await std::move(stopping);
}

}  // namespace kingpost
