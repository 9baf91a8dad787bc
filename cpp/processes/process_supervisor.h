// SPDX-License-Identifier: Apache-2.0
// Starts and watches the processes of plugins and programs, through the reaper (processes/process_reaper.h). Owns one
// thread that reads the output of all of them. Start, Spawn and Signal may be called from any thread; handlers run on
// that thread and must be quick.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/status.h"
#include "processes/process_reaper.h"

namespace kingpost {

enum class OutputStream { kStdout, kStderr };

struct ProcessExit {
  int start_error = 0;  // errno if it could not be started
  int wait_status = 0;

  bool ok() const { return start_error == 0 && wait_status == 0; }
  int code() const;              // the exit code; 128 + signal if killed; 127 if not started
  std::string Describe() const;  // "exit status 3", "signal: killed", "no such file or directory"
};

struct ProcessHandler {
  std::function<void(OutputStream stream, std::string_view bytes)> on_output;
  // Once, after all output that was written before the end.
  std::function<void(ProcessExit exit)> on_exit;
};

class ForkServer;
struct ReaperRequest;

class ProcessSupervisor {
 public:
  static Result<std::shared_ptr<ProcessSupervisor>> Start();
  ~ProcessSupervisor();  // says farewell, which ends what still runs
  ProcessSupervisor(const ProcessSupervisor&) = delete;

  // The process's number here. It leads a process group of its own; its standard input is empty, or else `input`, which
  // stays the caller's.
  Result<int> Spawn(const ProcessSpec& spec, ProcessHandler handler, int input = -1);
  // The same with a fork of that server. Blocks until there is one (processes/fork_server.h).
  Result<int> Fork(ForkServer& server, ProcessHandler handler, int input, const std::function<bool()>& gives_up);
  void Signal(int id, int number);  // to the whole group
  // The time from SIGINT to SIGKILL for a process that is stopped. Five seconds; half a second once the user insists.
  std::chrono::milliseconds stop_budget() const { return std::chrono::milliseconds(hastened_ ? 500 : 5000); }
  void ShortenStopBudget() { hastened_ = true; }
  // The folder and all in it is removed if this process dies before it could.
  void RemoveOnExit(const std::string& folder);

 private:
  struct Child {
    ~Child();
    ProcessHandler handler;
    int files[2] = {-1, -1};  // that its output is read from
  };

  ProcessSupervisor(ReaperHandle reaper, const int (&wake)[2]);
  // Asks the reaper for it, under the number that it gets here.
  Result<int> Add(std::shared_ptr<Child> child, ReaperRequest request, std::initializer_list<int> files);
  void Work();
  void ReadReplies();
  void Drain(int id, Child* child, int which);
  void Finish(int id, ProcessExit exit);

  ReaperHandle reaper_;
  int wake_[2];
  std::mutex mutex_;
  std::map<int, std::shared_ptr<Child>> children_;
  int next_id_ = 1;
  std::atomic<bool> hastened_{false};
  bool closing_ = false;
  bool reaper_gone_ = false;
  std::thread thread_;
};

}  // namespace kingpost
