// SPDX-License-Identifier: Apache-2.0
// One child process as the engine sees it: its lines, its port, its end. Loop thread.
//
//   auto process = PluginProcess::Start(loop, supervisor, spec, {.prefix = "aws (resource)"});
//   auto port = process->ReadPort(timeout);        // Result<int>: the first line of its standard output
//   ...
//   co_await process->Stop();                      // SIGINT to its group, a while, SIGKILL
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/loop.h"
#include "base/status.h"
#include "processes/process_supervisor.h"

namespace kingpost {

struct PluginProcessOptions {
  std::string prefix;               // for messages: "aws (resource)"
  std::string path = {};            // for messages; "": of the program that is started
  bool waits_for_debugger = false;  // and so may take any time to tell its port
  bool expects_port = true;         // the first line of standard output is a port, not output
  // Lines without their end; null: only the last are kept, for error messages.
  std::function<void(OutputStream stream, std::string line)> on_line;
};

class PluginProcess : public std::enable_shared_from_this<PluginProcess> {
 public:
  static Result<std::shared_ptr<PluginProcess>> Start(Loop& loop, std::shared_ptr<ProcessSupervisor> supervisor,
                                                      ProcessSpec spec, PluginProcessOptions options);
  // A plugin that another process has started. `attach` gives it our handler.
  static std::shared_ptr<PluginProcess> Adopt(Loop& loop, std::shared_ptr<ProcessSupervisor> supervisor, int id,
                                              PluginProcessOptions options,
                                              const std::function<void(ProcessHandler)>& attach);
  ~PluginProcess();

  // The port it listens on. Fails if it ends first, writes something else, or takes longer. Once.
  Task<Result<int>> ReadPort(std::chrono::milliseconds timeout);

  Task<ProcessExit> Wait();
  bool exited() const { return exit_.has_value(); }

  // "exit status 1; the last lines of its output:\n..."; "" while it runs.
  std::string DescribeEnd() const;
  const std::string& path() const { return path_; }
  const std::string& prefix() const { return options_.prefix; }

  void Signal(int number);
  Task<void> Stop();

 private:
  PluginProcess(Loop& loop, std::shared_ptr<ProcessSupervisor> supervisor, std::string path,
                PluginProcessOptions options);
  // The functions that the supervisor's thread calls. It keeps nobody alive.
  ProcessHandler MakeHandler();
  void TakeOutput(OutputStream stream, const std::string& bytes);
  void TakeLine(OutputStream stream, std::string line);
  void TakeExit(ProcessExit exit);
  std::string OutputTail() const;

  Loop& loop_;
  std::shared_ptr<ProcessSupervisor> supervisor_;
  std::string path_;
  PluginProcessOptions options_;
  int id_ = 0;
  std::string partial_[2];  // an unfinished line of each stream
  std::string tail_;        // of both, bounded
  std::optional<std::string> first_line_;
  std::optional<ProcessExit> exit_;
  Event first_line_or_exit_;
  Event exited_;
};

// The port in a plugin's first line: spaces and the progress codes of dotnet are ignored.
Result<int> ParsePort(std::string line);

}  // namespace kingpost
