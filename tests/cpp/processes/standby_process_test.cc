// SPDX-License-Identifier: Apache-2.0
// Checks standby processes, which start before their task is known.
#include "processes/standby_process.h"

#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <functional>

#include "processes/plugin_environment.h"
#include "processes/private_folder.h"

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

}  // namespace kingpost::standby_process_test
