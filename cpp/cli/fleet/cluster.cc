// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/cluster.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/json_access.h"
#include "base/os.h"
#include "cli/session/exit_code.h"
#include "processes/plugin_environment.h"
#include "processes/process_supervisor.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr const char* kBridgeModule = "kingpost._cluster_bridge";
constexpr const char* kInstall = "pip install 'kingpost[fleet]'";
constexpr int kSchedulerPort = 8786;  // as Dask has it
constexpr size_t kErrorsMax = 2000;   // bytes of the bridge's standard error that are kept

struct Scheme {
  const char* written;
  const char* meant;
};
constexpr Scheme kSchemes[] = {{"dask://", "tcp://"}, {"dask+tls://", "tls://"}};

// The last line that says something: of a traceback, the error itself.
std::string LastLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace

Result<std::string> FindFleetPython() {
  const std::string chosen = GetEnvironment("KINGPOST_PYTHON");
  if (!chosen.empty()) {
    const std::string found = chosen.find('/') == std::string::npos ? FindOnPath(chosen) : chosen;
    if (!found.empty() && IsExecutableFile(found)) return found;
    return Status(Code::kNotFound, "KINGPOST_PYTHON is " + chosen + ", which is no program that can be run");
  }
  const std::string beside = (fs::path(OwnExecutable()).parent_path() / "python3").string();
  if (IsExecutableFile(beside)) return beside;
  const Result<PythonInterpreter> usual = FindPython({}, CurrentFolder(), false);
  if (!usual.ok()) return usual.status();
  return usual->executable;
}

Result<std::string> Cluster::SchedulerOf(const std::string& address) {
  for (const Scheme& scheme : kSchemes) {
    if (!address.starts_with(scheme.written)) continue;
    std::string host = address.substr(std::string_view(scheme.written).size());
    while (host.ends_with('/')) host.pop_back();
    if (host.empty() || host.find('/') != std::string::npos) break;
    const bool has_port = host.find(':', host.find(']') == std::string::npos ? 0 : host.find(']')) != std::string::npos;
    return scheme.meant + host + (has_port ? "" : ":" + std::to_string(kSchedulerPort));
  }
  return UsageError("'" + address + "' is not the address of a cluster: write dask://HOST:" +
                    std::to_string(kSchedulerPort) + ", or dask+tls:// if the scheduler uses TLS");
}

Result<std::shared_ptr<Cluster>> Cluster::Connect(std::shared_ptr<ProcessSupervisor> supervisor,
                                                  const std::string& address, const std::vector<std::string>& folders) {
  const Result<std::string> scheduler = SchedulerOf(address);
  if (!scheduler.ok()) return scheduler.status();
  const Result<std::string> python = FindFleetPython();
  if (!python.ok()) return python.status().Wrap("--on " + address);
  std::shared_ptr<Cluster> cluster(new Cluster(std::move(supervisor)));
  cluster->address_ = address;
  if (const Status started = cluster->Start(*python, *scheduler, folders); !started.ok()) return started;
  if (const Status greeted = cluster->ReadGreeting(); !greeted.ok()) return greeted;
  return cluster;
}

Cluster::~Cluster() {
  // It hears the end of its input, and lets go of the cluster.
  if (input_ >= 0) ::close(input_);
}

Status Cluster::Start(const std::string& python, const std::string& scheduler,
                      const std::vector<std::string>& folders) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) return FileError("a pipe", "be made", errno);
  input_ = pipe[1];
  ProcessSpec spec;
  spec.argv = {python, "-m", kBridgeModule, scheduler};
  spec.environment = PluginEnvironment({});
  ProcessHandler handler;
  handler.on_output = [heard = bridge_output_](OutputStream stream, std::string_view bytes) {
    const std::lock_guard<std::mutex> lock(heard->mutex);
    if (stream == OutputStream::kStdout) return heard->Take(bytes);
    heard->errors += bytes;
    if (heard->errors.size() > kErrorsMax) heard->errors.erase(0, heard->errors.size() - kErrorsMax);
  };
  handler.on_exit = [heard = bridge_output_](ProcessExit exit) {
    const std::lock_guard<std::mutex> lock(heard->mutex);
    heard->gone = true;
    heard->end = exit.Describe();
    heard->changed.notify_all();
  };
  const Result<int> started = supervisor_->Spawn(spec, std::move(handler), pipe[0]);
  ::close(pipe[0]);
  if (!started.ok()) return started.status();
  nlohmann::json hello;
  hello["folders"] = folders;
  Send(0, hello.dump());
  return Status::Ok();
}

Status Cluster::ReadGreeting() {
  const std::string line = NextLine(0);
  if (line.empty()) {
    const std::lock_guard<std::mutex> lock(bridge_output_->mutex);
    const std::string& errors = bridge_output_->errors;
    if (errors.find("No module named") != std::string::npos && errors.find("kingpost") != std::string::npos) {
      return Fail(ExitCode::kFailed, "--on " + address_ +
                                         ": the Python beside this command has no package kingpost; install it with " +
                                         kInstall + ", or name another interpreter in KINGPOST_PYTHON");
    }
    return Fail(ExitCode::kFailed, "--on " + address_ + ": the process that speaks with the cluster has ended (" +
                                       bridge_output_->end + "): " + LastLine(errors));
  }
  const nlohmann::json greeting = ParseJson(line);
  if (const std::string why = TextOf(greeting, "fatal"); !why.empty()) {
    return Fail(ExitCode::kFailed, "--on " + address_ + ": " + why);
  }
  slots_ = std::max(1, static_cast<int>(IntegerOf(greeting, "slots")));
  is_local_ = BoolOf(greeting, "is_here");
  here_ = TextOf(greeting, "here");
  return Status::Ok();
}

void Cluster::BridgeOutput::Take(std::string_view bytes) {
  partial += bytes;
  size_t begin = 0;
  for (size_t end = 0; (end = partial.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const size_t blank = partial.find(' ', begin);
    if (blank == std::string::npos || blank > end) continue;
    lines[std::atoi(partial.c_str() + begin)].push_back(partial.substr(blank + 1, end - blank - 1));
  }
  partial.erase(0, begin);
  changed.notify_all();
}

int Cluster::Begin(const std::string& name, const std::string& spec) {
  int member = 0;
  {
    const std::lock_guard<std::mutex> lock(bridge_output_->mutex);
    member = ++last_;
  }
  Send(member, "{\"begin\":" + nlohmann::json(name).dump() + ",\"spec\":" + spec + "}");
  return member;
}

void Cluster::Send(int member, const std::string& json) {
  const std::lock_guard<std::mutex> lock(writing_);
  // One that is gone is noticed where its lines are read.
  (void)WriteAll(input_, std::to_string(member) + " " + json + "\n", "the bridge to the cluster");
}

std::string Cluster::NextLine(int member) {
  std::unique_lock<std::mutex> lock(bridge_output_->mutex);
  std::deque<std::string>& lines = bridge_output_->lines[member];
  bridge_output_->changed.wait(lock, [&] { return bridge_output_->gone || !lines.empty(); });
  if (lines.empty()) return "";
  std::string line = std::move(lines.front());
  lines.pop_front();
  return line;
}

void Cluster::Interrupt(int number) {
  nlohmann::json interrupt;
  interrupt["interrupt"] = number;
  Send(0, interrupt.dump());
}

std::string Cluster::DescribeEnd() const {
  const std::lock_guard<std::mutex> lock(bridge_output_->mutex);
  return "the process that speaks with the cluster has ended (" + bridge_output_->end +
         "): " + LastLine(bridge_output_->errors);
}

}  // namespace kingpost
