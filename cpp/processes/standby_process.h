// SPDX-License-Identifier: Apache-2.0
// A process that is started before it is known what it will have to do: it gets ready, and then waits for a message on
// its standard input. It does one thing, once.
//
//   auto standby = StandbyProcess::Start(supervisor, spec);       // gets ready beside us
//   ...
//   auto process = (*standby)->Take(loop, options);               // from here on a process like any other
//   (*standby)->Tell(message);                                    // and now it knows what to do
//
// A process that is not taken ends silently, and its output is dropped. Start, waits and Tell: any thread; Take on
// the loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "processes/plugin_process.h"

namespace kingpost {

class StandbyProcess {
 public:
  static Result<std::shared_ptr<StandbyProcess>> Start(std::shared_ptr<ProcessSupervisor> supervisor,
                                                       const ProcessSpec& spec);
  // The same with a fork, which is ready. Blocks until the server is, or `gives_up` says so (processes/fork_server.h).
  static Result<std::shared_ptr<StandbyProcess>> Fork(std::shared_ptr<ProcessSupervisor> supervisor, ForkServer& server,
                                                      const std::function<bool()>& gives_up);
  ~StandbyProcess();  // ends it, unless it was taken
  StandbyProcess(const StandbyProcess&) = delete;

  bool waits() const;  // it has not ended
  // Once. What it has printed so far comes first.
  std::shared_ptr<PluginProcess> Take(Loop& loop, PluginProcessOptions options);
  // Writes the message and closes its input: once. Blocks where the message is long and the process not yet ready. One
  // that has ended is told in vain; its end says why.
  void Tell(const std::string& message);

 private:
  struct Relay;
  using Starter = std::function<Result<int>(ProcessHandler handler, int input)>;
  static Result<std::shared_ptr<StandbyProcess>> Begin(std::shared_ptr<ProcessSupervisor> supervisor,
                                                       const Starter& start);

  StandbyProcess(std::shared_ptr<ProcessSupervisor> supervisor, std::shared_ptr<Relay> relay, int input, int id);

  const std::shared_ptr<ProcessSupervisor> supervisor_;
  const std::shared_ptr<Relay> relay_;
  int input_;
  const int id_;
  bool taken_ = false;
};

}  // namespace kingpost
