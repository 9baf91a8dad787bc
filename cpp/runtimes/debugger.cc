// SPDX-License-Identifier: Apache-2.0
#include "runtimes/debugger.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runtimes/go_command.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

namespace {

// Those that editors try first.
constexpr int kPythonPort = 58791;
constexpr int kNodePort = 9229;
constexpr int kGoPort = 57134;
constexpr int kPortsTried = 200;
constexpr std::chrono::milliseconds kListeningPoll{50};
constexpr int kListeningPolls = 60 * 20;

bool IsFree(int port) {
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server < 0) return false;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int yes = 1;
  ::setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool bound = ::bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const bool is_free = bound && ::listen(server, 1) == 0;
  ::close(server);
  return is_free;
}

// No port twice: what was told one may not listen yet when the next asks.
Result<int> FindPort(int preferred, std::atomic<int>* offset) {
  while (true) {
    const int at = offset->fetch_add(1);
    if (at >= kPortsTried) return Status(Code::kUnavailable, "unable to select a debug port: none is free");
    if (IsFree(preferred + at)) return preferred + at;
  }
}

std::map<std::string, std::string> Texts(const nlohmann::json& config) {
  std::map<std::string, std::string> texts;
  for (const auto& [key, value] : config.items()) texts[key] = value.dump();
  return texts;
}

// "  0: 0100007F:E5B7 00000000:0000 0A ...": the address, and 0A for one that listens.
bool ListensIn(const char* table, int port) {
  std::ifstream file(table);
  std::string line;
  while (std::getline(file, line)) {
    unsigned found = 0, state = 0;
    const bool read = std::sscanf(line.c_str(), " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x", &found, &state) == 2;
    if (read && static_cast<int>(found) == port && state == 0x0A) return true;
  }
  return false;
}

}  // namespace

bool DebugTargets::Wants(const std::string& target) const {
  return std::find(wanted_.begin(), wanted_.end(), target) != wanted_.end();
}

bool DebugTargets::Program() const { return Wants("all") || Wants("program"); }

bool DebugTargets::Plugin(const std::string& name) const {
  return Wants("all") || Wants("plugins") || Wants("plugin:" + name);
}

Result<Debugger> PythonDebugger(const std::string& name) {
  static std::atomic<int> offset{0};
  const Result<int> port = FindPort(kPythonPort, &offset);
  if (!port.ok()) return port.status();
  Debugger debugger;
  debugger.port = *port;
  debugger.arguments = {"-Xfrozen_modules=off", "-m", "debugpy", "--listen", "127.0.0.1:" + std::to_string(*port),
                        "--wait-for-client"};
  debugger.config = Texts({{"name", name},
                           {"type", "python"},
                           {"request", "attach"},
                           {"connect", {{"host", "127.0.0.1"}, {"port", *port}}},
                           {"justMyCode", true}});
  debugger.message = "on port " + std::to_string(*port);
  return debugger;
}

Result<Debugger> NodeDebugger(const std::string& name) {
  static std::atomic<int> offset{0};
  const Result<int> port = FindPort(kNodePort, &offset);
  if (!port.ok()) return port.status();
  Debugger debugger;
  debugger.port = *port;
  // The second keeps the program's output free of "Debugger listening on...".
  debugger.arguments = {"--inspect-brk=127.0.0.1:" + std::to_string(*port), "--inspect-publish-uid=http"};
  debugger.config = Texts({{"name", name},
                           {"type", "node"},
                           {"request", "attach"},
                           {"address", "127.0.0.1"},
                           {"port", *port},
                           {"continueOnAttach", true},
                           {"skipFiles", {"<node_internals>/**"}}});
  debugger.message = "on port " + std::to_string(*port);
  return debugger;
}

std::string DebuggedPlugin(const std::string& name) { return "Pulumi: Plugin (" + name + ")"; }

Result<std::string> FindDelve() {
  std::string delve = FindOnPath("dlv");
  if (delve.empty()) delve = FindInstalledByGo("dlv");
  if (!delve.empty()) return delve;
  return Status(Code::kNotFound,
                "unable to find 'dlv' executable: install Delve, the debugger of Go (go install "
                "github.com/go-delve/delve/cmd/dlv@latest), and put it on PATH");
}

Result<Debugger> GoDebugger(const std::string& name) {
  static std::atomic<int> offset{0};
  const Result<std::string> delve = FindDelve();
  if (!delve.ok()) return delve.status();
  const Result<int> port = FindPort(kGoPort, &offset);
  if (!port.ok()) return port.status();
  Debugger debugger;
  debugger.port = *port;
  // Without a file for it, Delve would write where it listens into the program's output, where a plugin tells its port.
  debugger.arguments = {*delve,
                        "--headless=true",
                        "--api-version=2",
                        "--log-dest=/dev/null",
                        "--listen=127.0.0.1:" + std::to_string(*port),
                        "exec"};
  debugger.config = Texts({{"name", name},
                           {"type", "go"},
                           {"request", "attach"},
                           {"mode", "remote"},
                           {"host", "127.0.0.1"},
                           {"port", *port}});
  debugger.message = "on port " + std::to_string(*port);
  return debugger;
}

std::vector<std::string> WrapInDelve(const Debugger& debugger, const std::vector<std::string>& command) {
  std::vector<std::string> argv = debugger.arguments;
  argv.push_back(command.at(0));
  argv.push_back("--");  // what follows is not for Delve
  argv.insert(argv.end(), command.begin() + 1, command.end());
  return argv;
}

bool IsListening(int port) { return ListensIn("/proc/net/tcp", port) || ListensIn("/proc/net/tcp6", port); }

Task<void> ReportWhenListening(Loop& loop, Debugger debugger, std::shared_ptr<const bool> ended, OnDebugger tell) {
  WorkerPool reader(loop, 1);  // of /proc
  for (int i = 0; i < kListeningPolls && !*ended; ++i) {
    auto looking = reader.Run([port = debugger.port] { return IsListening(port); });
    const bool listening = co_await std::move(looking);
    if (listening && !*ended) {
      tell(debugger);
      co_return;
    }
    auto pause = Sleep(loop, kListeningPoll);
    co_await std::move(pause);
  }
}

}  // namespace kingpost
