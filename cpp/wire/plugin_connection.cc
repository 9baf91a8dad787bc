// SPDX-License-Identifier: Apache-2.0
#include "wire/plugin_connection.h"

#include <charconv>

#include "base/encoding.h"
#include "base/os.h"

namespace kingpost {

namespace {

// Starting an interpreter on a busy machine takes a while; a plugin that needs longer hangs, or says so.
constexpr std::chrono::seconds kPortBudget{60};
constexpr char kPortBudgetVariable[] = "KINGPOST_PLUGIN_START_TIMEOUT";  // in seconds
// A connection breaks a moment before the death of its process is known.
constexpr int kDeathPolls = 50;
constexpr std::chrono::milliseconds kDeathPoll{10};

Result<std::chrono::milliseconds> PortBudget() {
  const std::string text = GetEnvironment(kPortBudgetVariable);
  if (text.empty()) return std::chrono::milliseconds(kPortBudget);
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 1 || seconds > 86400) {
    return Status(Code::kInvalidArgument,
                  std::string(kPortBudgetVariable) + " is " + Quote(text) + ": expected a number of seconds");
  }
  return std::chrono::milliseconds(std::chrono::seconds(seconds));
}

}  // namespace

PluginConnection::PluginConnection(Loop& loop, std::shared_ptr<PluginProcess> process, int port, std::string path,
                                   std::string prefix)
    : loop_(loop),
      process_(std::move(process)),
      path_(std::move(path)),
      prefix_(std::move(prefix)),
      channel_(OpenChannel("127.0.0.1:" + std::to_string(port))) {}

Task<Result<PluginConnectionPtr>> PluginConnection::Start(Loop& loop, std::shared_ptr<ProcessSupervisor> supervisor,
                                                          ProcessSpec spec, std::string path,
                                                          PluginProcessOptions options) {
  auto process = PluginProcess::Start(loop, std::move(supervisor), std::move(spec), std::move(options));
  if (!process.ok()) co_return process.status().Wrap("failed to load plugin " + path);
  auto opening = Open(loop, std::move(*process), std::move(path));
  co_return co_await std::move(opening);
}

Task<Result<PluginConnectionPtr>> PluginConnection::Open(Loop& loop, std::shared_ptr<PluginProcess> process,
                                                         std::string path) {
  const auto budget = PortBudget();
  Result<int> port(budget.status());
  if (budget.ok()) {
    auto reading = process->ReadPort(*budget);
    port = co_await std::move(reading);
  }
  if (!port.ok()) {
    auto stopping = process->Stop();
    co_await std::move(stopping);
    co_return port.status();
  }
  const std::string prefix = process->prefix();
  co_return std::make_shared<PluginConnection>(loop, std::move(process), *port, std::move(path), prefix);
}

PluginConnectionPtr PluginConnection::Attach(Loop& loop, int port, std::string prefix) {
  const std::string path = "127.0.0.1:" + std::to_string(port);
  return std::make_shared<PluginConnection>(loop, nullptr, port, path, std::move(prefix));
}

Task<Status> PluginConnection::Explain(grpc::Status status) {
  const bool transport =
      status.error_code() == grpc::StatusCode::UNAVAILABLE || status.error_code() == grpc::StatusCode::CANCELLED;
  if (!transport || !process_) co_return FromGrpcStatus(status);
  for (int i = 0; i < kDeathPolls && !process_->exited(); ++i) {
    auto pause = Sleep(loop_, kDeathPoll);
    co_await std::move(pause);
  }
  if (!process_->exited()) co_return FromGrpcStatus(status);
  co_return Status(Code::kUnavailable,
                   "the " + prefix_ + " plugin [" + path_ + "] has ended unexpectedly: " + process_->DescribeEnd());
}

Task<void> PluginConnection::Close() {
  if (!process_) co_return;
  auto stopping = process_->Stop();
  co_await std::move(stopping);
}

}  // namespace kingpost
