// SPDX-License-Identifier: Apache-2.0
#include "wire/wire.h"

#include "wire/run_bridge.h"

#include <google/protobuf/util/json_util.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/os.h"
#include "plugins/plugin_bridge.h"
#include "processes/plugin_process.h"
#include "pulumi/language.grpc.pb.h"
#include "wire/channel.h"

extern char** environ;

namespace kingpost {

namespace {

using enum BridgeArguments::Place;

constexpr int kFailed = 255;  // as the reference's hosts end where a plugin could not be run at all
constexpr std::chrono::milliseconds kGrace{2000}, kGreeting{10000};

int Complain(const std::string& what) {
  (void)WriteAll(STDERR_FILENO, what + "\n", "stderr");
  return kFailed;
}

// The language's plugin: a child in our own process group, so that it hears what is said to the group.
class LanguagePlugin {
 public:
  ~LanguagePlugin() {
    if (pid_ > 0) End();
  }

  bool Start(const std::string& program, const std::string& engine) {
    int out[2];
    if (pipe(out) != 0) return false;
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(127);
      dup2(out[1], STDOUT_FILENO);
      close(out[0]);
      close(out[1]);
      sigset_t none;
      sigemptyset(&none);
      sigprocmask(SIG_SETMASK, &none, nullptr);
      signal(SIGPIPE, SIG_DFL);
      execl(program.c_str(), program.c_str(), engine.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(out[1]);
    if (pid_ < 0) return false;
    output_ = fdopen(out[0], "r");
    return output_ != nullptr;
  }

  // Its first line is a port; what else it prints is nobody's.
  Result<int> Port() {
    std::string line;
    for (int c; (c = std::fgetc(output_)) != EOF && c != '\n';) line += static_cast<char>(c);
    auto port = ParsePort(line);
    std::thread([file = output_] {
      while (std::fgetc(file) != EOF) {
      }
    }).detach();
    return port;
  }

 private:
  void End() {
    kill(pid_, SIGTERM);
    const auto give_up_at = std::chrono::steady_clock::now() + kGrace;
    while (waitpid(pid_, nullptr, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > give_up_at) kill(pid_, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  pid_t pid_ = -1;
  std::FILE* output_ = nullptr;
};

pulumirpc::RunPluginRequest Request(const std::vector<std::string>& words) {
  pulumirpc::RunPluginRequest request;
  request.set_pwd(std::filesystem::current_path().string());
  request.set_kind(words[kKind]);
  request.set_name(words[kName]);
  request.set_loader_target(words[kEngine]);
  request.mutable_info()->set_root_directory(words[kFolder]);
  request.mutable_info()->set_program_directory(words[kFolder]);
  request.mutable_info()->set_entry_point(".");
  auto* options = request.mutable_info()->mutable_options();
  if (!google::protobuf::util::JsonStringToMessage(words[kOptions], options).ok()) options->Clear();
  for (size_t i = kArguments; i < words.size(); ++i) request.add_args(words[i]);
  for (char** variable = environ; *variable != nullptr; ++variable) request.add_env(*variable);
  return request;
}

// Hosts that need no greeting do not know it.
grpc::Status Greet(pulumirpc::LanguageRuntime::Stub* stub, const std::string& engine) {
  grpc::ClientContext call;
  call.set_wait_for_ready(true);
  call.set_deadline(std::chrono::system_clock::now() + kGreeting);
  pulumirpc::LanguageHandshakeRequest request;
  request.set_engine_address(engine);
  pulumirpc::LanguageHandshakeResponse response;
  const grpc::Status status = stub->Handshake(&call, request, &response);
  return IsUnimplemented(status) ? grpc::Status::OK : status;
}

// Ends the call when this process is asked to end. Lives as long as the process.
void WatchSignals(grpc::ClientContext* call, const sigset_t& signals) {
  std::thread([call, signals] {
    int number = 0;
    while (sigwait(&signals, &number) == 0) call->TryCancel();
  }).detach();
}

}  // namespace

int RunBridge(const std::vector<std::string>& words) {
  if (words.size() < kArguments) return Complain(std::string(kBridgeCommand) + " is for this program itself");
  // Before there is a thread that they could be delivered to.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, nullptr);

  LanguagePlugin language;
  if (!language.Start(words[kLanguagePlugin], words[kEngine]))
    return Complain("cannot start " + words[kLanguagePlugin]);
  const auto port = language.Port();
  if (!port.ok()) return Complain(words[kLanguagePlugin] + ": " + port.status().message());
  const auto stub = pulumirpc::LanguageRuntime::NewStub(OpenChannel("127.0.0.1:" + std::to_string(*port)));

  if (const auto greeted = Greet(stub.get(), words[kEngine]); !greeted.ok()) return Complain(greeted.error_message());
  grpc::ClientContext call;
  WatchSignals(&call, signals);
  const auto stream = stub->RunPlugin(&call, Request(words));
  pulumirpc::RunPluginResponse said;
  std::optional<int> code;
  while (stream->Read(&said)) {
    if (said.has_stdout()) (void)WriteAll(STDOUT_FILENO, said.stdout(), "stdout");
    if (said.has_stderr()) (void)WriteAll(STDERR_FILENO, said.stderr(), "stderr");
    if (said.has_exitcode()) code = said.exitcode();
  }
  const grpc::Status ended = stream->Finish();
  if (code) return *code;
  if (ended.error_code() == grpc::StatusCode::CANCELLED) return 128 + SIGTERM;
  if (ended.ok()) return 0;
  if (IsUnimplemented(ended)) {
    return Complain(words[kLanguagePlugin] + " runs no plugins in source form: build " + words[kFolder] +
                    " into an executable");
  }
  return Complain(ended.error_message());
}

}  // namespace kingpost
