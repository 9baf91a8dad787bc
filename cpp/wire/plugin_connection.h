// SPDX-License-Identifier: Apache-2.0
// A plugin that answers: its process, if we started it, and the channel to it. Provider and analyzer stand on it.
// Loop thread.
#pragma once

#include <memory>
#include <string>

#include "base/loop.h"
#include "processes/plugin_process.h"
#include "wire/channel.h"

namespace kingpost {

// Cancel is a courtesy: a plugin that does not answer it, or a language host that does not end its program, is ended
// anyway.
inline constexpr std::chrono::seconds kCancelBudget{5};

class PluginConnection {
 public:
  // Starts the process and waits for its port.
  static Task<Result<std::shared_ptr<PluginConnection>>> Start(Loop& loop,
                                                               std::shared_ptr<ProcessSupervisor> supervisor,
                                                               ProcessSpec spec, std::string path,
                                                               PluginProcessOptions options);
  // The same for a process that has been started.
  static Task<Result<std::shared_ptr<PluginConnection>>> Open(Loop& loop, std::shared_ptr<PluginProcess> process,
                                                              std::string path);
  // To a plugin that someone else runs.
  static std::shared_ptr<PluginConnection> Attach(Loop& loop, int port, std::string prefix);

  PluginConnection(Loop& loop, std::shared_ptr<PluginProcess> process, int port, std::string path, std::string prefix);

  Loop& loop() const { return loop_; }
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  const std::string& path() const { return path_; }
  const std::string& prefix() const { return prefix_; }
  bool is_alive() const { return !process_ || !process_->exited(); }
  bool is_attached() const { return process_ == nullptr; }

  // The first call: tried again until the plugin accepts connections, for 10 s. Unimplemented is an answer.
  template <class Interface, class Request, class Response>
  Task<RawAnswer<Response>> FirstCall(Interface* stub, AsyncMethod<Interface, Request, Response> method,
                                      Request request);

  // The message to the user: the plugin's own words, or, if it has died, that and how.
  Task<Status> Explain(grpc::Status status);

  // Ends the process: SIGINT, 5 s, SIGKILL. The caller has sent Cancel.
  Task<void> Close();

 private:
  Loop& loop_;
  std::shared_ptr<PluginProcess> process_;
  std::string path_, prefix_;
  std::shared_ptr<grpc::Channel> channel_;
};
using PluginConnectionPtr = std::shared_ptr<PluginConnection>;

template <class Interface, class Request, class Response>
Task<RawAnswer<Response>> PluginConnection::FirstCall(Interface* stub, AsyncMethod<Interface, Request, Response> method,
                                                      Request request) {
  constexpr std::chrono::seconds kBudget{10};
  const auto give_up_at = Loop::Clock::now() + kBudget;
  while (true) {
    CallOptions options;
    options.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(give_up_at - Loop::Clock::now());
    if (options.timeout.count() <= 0) {
      grpc::Status late(grpc::StatusCode::DEADLINE_EXCEEDED,
                        prefix_ + " plugin [" + path_ + "] did not begin responding to RPC connections");
      co_return RawAnswer<Response>{late, nullptr};
    }
    auto call = RawCall(loop_, stub, method, request, options);
    auto answer = co_await std::move(call);
    const bool dead = process_ && process_->exited();
    if (answer.status.error_code() != grpc::StatusCode::UNAVAILABLE || dead) co_return answer;
    auto pause = Sleep(loop_, std::chrono::milliseconds(10));
    co_await std::move(pause);
  }
}

}  // namespace kingpost
