// SPDX-License-Identifier: Apache-2.0
// Checks standby processes, which start before their task is known.
#include "processes/standby_process.h"

#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>

#include "processes/fork_server.h"
#include "processes/plugin_environment.h"
#include "processes/private_folder.h"
#include "runtimes/runtime.h"

namespace kingpost::standby_process_test {

using namespace std::chrono_literals;

ProcessSpec Shell(const std::string& script) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", script};
  spec.environment = PluginEnvironment({});
  return spec;
}

std::shared_ptr<StandbyProcess> Begin(const std::string& script) {
  auto supervisor = ProcessSupervisor::Start();
  REQUIRE(supervisor.ok());
  auto process = StandbyProcess::Start(*supervisor, Shell(script));
  REQUIRE(process.ok());
  return *process;
}

// Takes it, tells it, and waits for its end: the lines of its output, and then how it ended.
std::vector<std::string> Run(StandbyProcess& standby, const std::string& message) {
  Loop loop;
  std::vector<std::string> lines;
  PluginProcessOptions options;
  options.prefix = "test (program)";
  options.expects_port = false;
  options.on_line = [&lines](OutputStream, const std::string& line) { lines.push_back(line); };
  auto process = standby.Take(loop, std::move(options));
  standby.Tell(message);
  const ProcessExit exit = loop.RunUntilDone(process->Wait());
  lines.push_back(exit.ok() ? "well" : exit.Describe());
  return lines;
}

bool Becomes(const std::function<bool()>& what) {
  for (int i = 0; i < 1000; ++i) {
    if (what()) return true;
    usleep(10000);
  }
  return false;
}

bool HasLine(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  return static_cast<bool>(std::getline(in, line));
}

TEST_CASE("a standby process waits for its message and then acts on it", "[standby]") {
  auto standby = Begin("echo ready; what=$(cat); echo told $what; exit 3");
  CHECK(standby->waits());
  CHECK(Run(*standby, "to stop") == std::vector<std::string>{"ready", "told to stop", "exit status 3"});
}

TEST_CASE("a message that is longer than any buffer reaches a standby process whole", "[standby]") {
  auto standby = Begin("sleep 0.1; wc -c");
  CHECK(Run(*standby, std::string(3 << 20, 'x')) == std::vector<std::string>{"3145728", "well"});
}

TEST_CASE("a standby process that ended while it got ready is known not to wait, and says how it ended", "[standby]") {
  auto standby = Begin("echo broken >&2; exit 5");
  REQUIRE(Becomes([&] { return !standby->waits(); }));
  CHECK(Run(*standby, "in vain") == std::vector<std::string>{"broken", "exit status 5"});
}

TEST_CASE("a standby process that is not used ends, and reads nothing", "[standby]") {
  auto folder = PrivateFolder::Create(nullptr);
  REQUIRE(folder.ok());
  const std::string begun = folder->Path("begun"), ended = folder->Path("ended");
  auto supervisor = ProcessSupervisor::Start();
  REQUIRE(supervisor.ok());
  auto standby = StandbyProcess::Start(*supervisor, Shell("echo $$ > " + begun + "; cat > " + ended + "; sleep 100"));
  REQUIRE(standby.ok());
  REQUIRE(Becomes([&] { return HasLine(begun); }));
  pid_t pid = 0;
  std::ifstream(begun) >> pid;
  standby->reset();
  CHECK(Becomes([&] { return kill(pid, 0) != 0; }));
  CHECK_FALSE(HasLine(ended));
}

TEST_CASE("a process without standby has an empty standard input", "[standby]") {
  auto supervisor = ProcessSupervisor::Start();
  REQUIRE(supervisor.ok());
  Loop loop;
  std::vector<std::string> lines;
  PluginProcessOptions options;
  options.prefix = "test (program)";
  options.expects_port = false;
  options.on_line = [&lines](OutputStream, const std::string& line) { lines.push_back(line); };
  auto process = PluginProcess::Start(loop, *supervisor, Shell("wc -c; readlink /proc/self/fd/0"), std::move(options));
  REQUIRE(process.ok());
  CHECK(loop.RunUntilDone((*process)->Wait()).ok());
  CHECK(lines == std::vector<std::string>{"0", "/dev/null"});
}

// What the launcher of Python programs forks with, from its own text.
std::string ForkForEachRun() {
  const std::string program = kPythonProgram, begin = "def fork_for_each_run():";
  const size_t from = program.find(begin);
  REQUIRE(from != std::string::npos);
  return program.substr(from, program.find("\n\n\n", from) - from);
}

// A fork server (processes/fork_server.h): each fork begins with what `prepare` has made of `ready`.
ProcessSpec Forks(const std::string& prepare) {
  ProcessSpec spec;
  spec.argv = {"python3", "-c",
               "import os, sys, threading, time\nPR_SET_PDEATHSIG = 1\n" + prepare + "\n" + ForkForEachRun() + R"(

end_with_reaper = fork_for_each_run()
message = open(0).read()
end_with_reaper()
print(ready, message, flush=True)
if message == 'die':
    os.kill(os.getpid(), 9)
if message == 'sleep':
    time.sleep(1000)
os._exit(len(message))
)"};
  spec.environment = PluginEnvironment({});
  return spec;
}

struct Forking {
  std::shared_ptr<ProcessSupervisor> supervisor = *ProcessSupervisor::Start();
  std::shared_ptr<ForkServer> server;
  std::atomic<bool> gives_up{false};

  explicit Forking(const std::string& prepare) : server(*ForkServer::Start(supervisor, Forks(prepare))) {}
  std::shared_ptr<StandbyProcess> Fork() {
    auto process = StandbyProcess::Fork(supervisor, *server, [this] { return gives_up.load(); });
    return process.ok() ? std::move(*process) : nullptr;
  }
};

TEST_CASE("a server gets ready once, and each fork of it is told something else", "[standby]") {
  Forking forking("import time; time.sleep(0.2); ready = f'ready by {os.getpid()}'");
  std::set<std::string> ready;
  for (const std::string message : {"a", "bcd", "die", ""}) {
    auto fork = forking.Fork();
    REQUIRE(fork);
    CHECK(fork->waits());
    const std::vector<std::string> lines = Run(*fork, message);
    REQUIRE(lines.size() == 2);
    ready.insert(lines[0].substr(0, lines[0].rfind(' ')));
    CHECK(lines[0].substr(lines[0].rfind(' ') + 1) == message);
    const std::string end = message.empty()    ? "well"
                            : message == "die" ? std::string("signal: ") + strsignal(SIGKILL)
                                               : "exit status " + std::to_string(message.size());
    CHECK(lines[1] == end);
  }
  CHECK(ready.size() == 1);
}

TEST_CASE("forks of one server live side by side", "[standby]") {
  Forking forking("ready = 1");
  std::vector<std::shared_ptr<StandbyProcess>> forks;
  for (int i = 0; i < 8; ++i) forks.push_back(forking.Fork());
  for (auto& fork : forks) REQUIRE(fork);
  for (size_t i = forks.size(); i-- > 0;) {
    CHECK(Run(*forks[i], std::string(i + 1, 'x')).back() == "exit status " + std::to_string(i + 1));
  }
  auto last = forking.Fork();
  REQUIRE(last);
  forking.server.reset();
  CHECK(last->waits());  // it is none of the server's processes
  CHECK(Run(*last, "xy").back() == "exit status 2");
}

TEST_CASE("a fork that is stopped ends", "[standby]") {
  Forking forking("ready = 1");
  auto fork = forking.Fork();
  REQUIRE(fork);
  Loop loop;
  bool sleeps = false;
  PluginProcessOptions options;
  options.prefix = "test (program)";
  options.expects_port = false;
  options.on_line = [&sleeps](OutputStream, const std::string&) { sleeps = true; };
  auto process = fork->Take(loop, std::move(options));
  fork->Tell("sleep");
  const auto stop_when_it_sleeps = [&]() -> Task<bool> {
    while (!sleeps) co_await Sleep(loop, 10ms);
    co_await process->Stop();
    co_return process->exited();
  };
  CHECK(loop.RunUntilDone(stop_when_it_sleeps()));
}

TEST_CASE("a fork that nobody takes ends", "[standby]") {
  Forking forking("ready = 1");
  auto fork = forking.Fork();
  REQUIRE(fork);
  fork.reset();
  CHECK(Run(*forking.Fork(), "x").back() == "exit status 1");
}

TEST_CASE("who gives up waits no longer, and the server still forks for others", "[standby]") {
  Forking forking("time.sleep(1); ready = 1");
  forking.gives_up = true;
  CHECK(!forking.Fork());
  forking.gives_up = false;
  auto fork = forking.Fork();
  REQUIRE(fork);
  CHECK(Run(*fork, "xyz").back() == "exit status 3");
}

TEST_CASE("a server that ends before it forks is asked once", "[standby]") {
  Forking forking("sys.exit(4)");
  CHECK(forking.server->forks());
  CHECK(!forking.Fork());
  CHECK(!forking.server->forks());
  CHECK(!forking.Fork());
}

}  // namespace kingpost::standby_process_test
