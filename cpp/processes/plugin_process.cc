// SPDX-License-Identifier: Apache-2.0
#include "processes/plugin_process.h"

#include <signal.h>

#include <charconv>

#include "base/encoding.h"
#include "base/engine_log.h"
#include "base/trim.h"

namespace kingpost {

namespace {

constexpr size_t kTailBytes = 4096;
constexpr size_t kLineBytesMax = 1 << 16;  // longer lines are passed on in parts

// For the log: programs that are given as a text are cut off.
std::string CommandText(const std::vector<std::string>& argv) {
  constexpr size_t kShown = 200;
  std::string text;
  for (const std::string& argument : argv) {
    text += (text.empty() ? "" : " ") + (argument.size() > kShown ? argument.substr(0, 20) + "..." : argument);
  }
  return text;
}

void RemoveAll(const std::string& what, std::string* text) {
  for (size_t at; (at = text->find(what)) != std::string::npos;) text->erase(at, what.size());
}

}  // namespace

Result<int> ParsePort(std::string line) {
  RemoveAll("\x1b]9;4;3;\x1b\\", &line);
  RemoveAll("\x1b]9;4;0;\x1b\\", &line);
  line = Trimmed(line);
  int port = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), port);
  if (error != std::errc() || end != line.data() + line.size()) {
    return Status(Code::kUnknown, "could not parse port: " + Quote(line.substr(0, 200)) + " is not a number");
  }
  if (port <= 0 || port > 65535) return Status(Code::kUnknown, "invalid port number: " + std::to_string(port));
  return port;
}

PluginProcess::PluginProcess(Loop& loop, std::shared_ptr<ProcessSupervisor> supervisor, std::string path,
                             PluginProcessOptions options)
    : loop_(loop),
      supervisor_(std::move(supervisor)),
      path_(std::move(path)),
      options_(std::move(options)),
      first_line_or_exit_(loop),
      exited_(loop) {}

Result<std::shared_ptr<PluginProcess>> PluginProcess::Start(Loop& loop, std::shared_ptr<ProcessSupervisor> supervisor,
                                                            ProcessSpec spec, PluginProcessOptions options) {
  std::string path = options.path.empty() ? spec.argv.at(0) : options.path;
  std::shared_ptr<PluginProcess> process(
      new PluginProcess(loop, std::move(supervisor), std::move(path), std::move(options)));
  if (IsLogEnabled(5)) WriteLog(5, "starts in " + spec.working_directory + ": " + CommandText(spec.argv));
  auto id = process->supervisor_->Spawn(spec, process->MakeHandler());
  if (!id.ok()) return id.status();
  process->id_ = *id;
  return process;
}

std::shared_ptr<PluginProcess> PluginProcess::Adopt(Loop& loop, std::shared_ptr<ProcessSupervisor> supervisor, int id,
                                                    PluginProcessOptions options,
                                                    const std::function<void(ProcessHandler)>& attach) {
  std::string path = options.path;
  std::shared_ptr<PluginProcess> process(
      new PluginProcess(loop, std::move(supervisor), std::move(path), std::move(options)));
  process->id_ = id;
  attach(process->MakeHandler());
  return process;
}

// The handlers run on the supervisor's thread; what they bring is dropped if the process is no longer of interest, and
// kept from a loop that has gone.
ProcessHandler PluginProcess::MakeHandler() {
  std::weak_ptr<PluginProcess> weak = weak_from_this();
  const std::shared_ptr<Inbox> inbox = loop_.inbox();
  ProcessHandler handler;
  handler.on_output = [weak, inbox](OutputStream stream, std::string_view bytes) {
    inbox->Post([weak, stream, copy = std::string(bytes)] {
      if (auto self = weak.lock()) self->TakeOutput(stream, copy);
    });
  };
  handler.on_exit = [weak, inbox](ProcessExit exit) {
    inbox->Post([weak, exit] {
      if (auto self = weak.lock()) self->TakeExit(exit);
    });
  };
  return handler;
}

PluginProcess::~PluginProcess() {
  if (!exited()) Signal(SIGKILL);
}

void PluginProcess::TakeOutput(OutputStream stream, const std::string& bytes) {
  std::string& partial = partial_[static_cast<int>(stream)];
  partial += bytes;
  size_t begin = 0;
  for (size_t end; (end = partial.find('\n', begin)) != std::string::npos; begin = end + 1) {
    TakeLine(stream, partial.substr(begin, end - begin));
  }
  partial.erase(0, begin);
  if (partial.size() > kLineBytesMax) TakeLine(stream, std::exchange(partial, ""));
}

void PluginProcess::TakeLine(OutputStream stream, std::string line) {
  if (options_.expects_port && stream == OutputStream::kStdout && !first_line_) {
    first_line_ = std::move(line);
    first_line_or_exit_.Set();
    return;
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (IsLogEnabled(1) && !options_.on_line) WriteLog(1, options_.prefix + ": " + line);
  tail_ += line + "\n";
  if (tail_.size() > 2 * kTailBytes) tail_.erase(0, tail_.size() - kTailBytes);
  if (options_.on_line) options_.on_line(stream, std::move(line));
}

void PluginProcess::TakeExit(ProcessExit exit) {
  for (OutputStream stream : {OutputStream::kStdout, OutputStream::kStderr}) {
    std::string rest = std::exchange(partial_[static_cast<int>(stream)], "");
    if (!rest.empty()) TakeLine(stream, std::move(rest));
  }
  exit_ = exit;
  if (IsLogEnabled(5))
    WriteLog(5, options_.prefix + " [" + path_ + "] ends: " + (exit.ok() ? "well" : exit.Describe()));
  first_line_or_exit_.Set();
  exited_.Set();
}

Task<Result<int>> PluginProcess::ReadPort(std::chrono::milliseconds timeout) {
  auto self = shared_from_this();
  bool late = false;
  std::weak_ptr<PluginProcess> weak = self;
  std::function<void()> give_up = [weak] {
    if (auto process = weak.lock()) process->first_line_or_exit_.Set();
  };
  if (!options_.waits_for_debugger) loop_.PostAfter(timeout, std::move(give_up));
  co_await first_line_or_exit_;
  late = !first_line_ && !exit_;
  if (late) {
    Signal(SIGKILL);
    co_return Status(Code::kDeadlineExceeded, prefix() + " plugin [" + path_ + "] wrote no port to stdout within " +
                                                  std::to_string(timeout.count() / 1000) +
                                                  " s (KINGPOST_PLUGIN_START_TIMEOUT sets how long it may take)" +
                                                  OutputTail());
  }
  if (!first_line_ || (exit_ && !ParsePort(*first_line_).ok())) {
    const std::string read = first_line_ ? " (read " + Quote(first_line_->substr(0, 200)) + ")" : "";
    // With exit code 0, all that is known is that there is no more to read: EOF, as Pulumi says.
    const std::string end =
        exit_ && exit_->ok() ? "EOF, it ended without a port on stdout" + OutputTail() : DescribeEnd();
    co_return Status(Code::kUnavailable, "could not read plugin [" + path_ + "]" + read + ": " + end);
  }
  auto port = ParsePort(*first_line_);
  if (port.ok()) co_return port;
  Signal(SIGKILL);
  co_return port.status().Wrap(prefix() + " plugin [" + path_ + "] wrote an invalid port to stdout");
}

Task<ProcessExit> PluginProcess::Wait() {
  auto self = shared_from_this();
  co_await exited_;
  co_return *exit_;
}

std::string PluginProcess::OutputTail() const {
  const std::string tail = Trimmed(tail_.size() > kTailBytes ? tail_.substr(tail_.size() - kTailBytes) : tail_);
  return tail.empty() ? "" : "; the last lines of its output:\n" + tail;
}

std::string PluginProcess::DescribeEnd() const {
  if (!exit_) return "";
  return exit_->Describe() + OutputTail();
}

void PluginProcess::Signal(int number) { supervisor_->Signal(id_, number); }

Task<void> PluginProcess::Stop() {
  auto self = shared_from_this();
  if (exited()) co_return;
  Signal(SIGINT);
  std::weak_ptr<PluginProcess> weak = self;
  std::function<void()> kill = [weak] {
    if (auto process = weak.lock(); process && !process->exited()) process->Signal(SIGKILL);
  };
  loop_.PostAfter(supervisor_->stop_budget(), std::move(kill));
  co_await exited_;
}

}  // namespace kingpost
