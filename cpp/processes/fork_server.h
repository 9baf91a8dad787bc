// SPDX-License-Identifier: Apache-2.0
// A process that gets ready once and then forks for each run, so that a run begins with all that it imported. The forks
// are no children of it: it forks twice, and what is in between ends, so that the reaper becomes their parent
// (processes/process_reaper.h).
//
//          ◀──one byte, when it is ready──────
//     Fork ──one byte, with the three files──▶ server ──forks──▶ the run, which leads a process group of its own
//          ◀──its process ID, as an int32_t───
//
// The server reads from its standard input, which is the socket, and ends when the socket does. Any thread; forks are
// made one after the other.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "processes/process_supervisor.h"

namespace kingpost {

class ForkServer {
 public:
  static Result<std::shared_ptr<ForkServer>> Start(std::shared_ptr<ProcessSupervisor> supervisor,
                                                   const ProcessSpec& spec);
  ~ForkServer();  // ends it, not its forks
  ForkServer(const ForkServer&) = delete;

  // False once a fork has failed: then all others would.
  bool forks() const { return forks_; }
  // For ProcessSupervisor::Fork. Blocks until the server is ready, which takes as long as its imports do, and then
  // until it has forked: ten seconds at most. `gives_up` ends the wait; it is asked ten times a second.
  Result<pid_t> Fork(int input, int output, int errors, const std::function<bool()>& gives_up);

 private:
  ForkServer(std::shared_ptr<ProcessSupervisor> supervisor, int socket, int id)
      : supervisor_(std::move(supervisor)), socket_(socket), id_(id) {}
  Status WaitUntilReady(const std::function<bool()>& gives_up);
  Result<pid_t> Ask(int input, int output, int errors, const std::function<bool()>& gives_up) const;
  Status WaitForAnswer(int most_ms, const std::function<bool()>& gives_up) const;

  const std::shared_ptr<ProcessSupervisor> supervisor_;
  const int socket_, id_;
  std::mutex mutex_;
  bool ready_ = false;
  std::atomic<bool> forks_{true};
};

}  // namespace kingpost
