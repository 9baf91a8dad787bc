// SPDX-License-Identifier: Apache-2.0
// Checks processes: their lines, ports and ends, and that none outlives this process, however it ends.
#include "processes/plugin_process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "processes/plugin_environment.h"
#include "processes/private_folder.h"

namespace kingpost::plugin_process_test {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

ProcessSpec Shell(const std::string& script) {
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c", script};
  spec.environment = PluginEnvironment({});
  return spec;
}

std::shared_ptr<ProcessSupervisor> Supervisor() {
  auto supervisor = ProcessSupervisor::Start();
  REQUIRE(supervisor.ok());
  return *supervisor;
}

std::shared_ptr<PluginProcess> Begin(Loop& loop, const std::string& script, PluginProcessOptions options) {
  options.prefix = "test (resource)";
  auto process = PluginProcess::Start(loop, Supervisor(), Shell(script), std::move(options));
  REQUIRE(process.ok());
  return *process;
}

std::string PortFailure(const std::string& script, std::chrono::milliseconds timeout = 20s) {
  Loop loop;
  auto process = Begin(loop, script, {});
  auto port = loop.RunUntilDone(process->ReadPort(timeout));
  REQUIRE_FALSE(port.ok());
  return port.status().message();
}

bool IsAlive(pid_t pid) {
  if (kill(pid, 0) != 0) return false;
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  const size_t end = text.rfind(')');
  return end != std::string::npos && text[end + 2] != 'Z';
}

bool DiesWithin(pid_t pid, std::chrono::milliseconds budget) {
  for (auto waited = 0ms; waited < budget; waited += 20ms) {
    if (!IsAlive(pid)) return true;
    usleep(20000);
  }
  return false;
}

// Waits until the file holds that many process IDs.
std::vector<pid_t> ReadPids(const std::string& file, size_t count) {
  for (int i = 0; i < 3000; ++i) {
    std::ifstream in(file);
    std::vector<pid_t> pids;
    for (pid_t pid; in >> pid;) pids.push_back(pid);
    if (pids.size() >= count) return pids;
    usleep(20000);
  }
  FAIL("the processes did not start");
  return {};
}

class TemporaryFile {
 public:
  TemporaryFile() {
    std::string name = (fs::temp_directory_path() / "kingpost-pids-XXXXXX").string();
    close(mkstemp(name.data()));
    path = name;
  }
  ~TemporaryFile() { fs::remove(path); }
  std::string path;
};

TEST_CASE("the first line is the port, and the rest is output") {
  Loop loop;
  std::vector<std::string> lines;
  PluginProcessOptions options;
  options.on_line = [&lines](OutputStream stream, std::string line) {
    lines.push_back((stream == OutputStream::kStdout ? "out:" : "err:") + line);
  };
  auto process = Begin(loop, "echo early >&2; echo 4321; echo late; printf unfinished; exit 3", std::move(options));
  auto port = loop.RunUntilDone(process->ReadPort(20s));
  REQUIRE(port.ok());
  CHECK(*port == 4321);
  const ProcessExit exit = loop.RunUntilDone(process->Wait());
  CHECK(exit.code() == 3);
  CHECK(exit.Describe() == "exit status 3");
  std::sort(lines.begin(), lines.end());
  CHECK(lines == std::vector<std::string>{"err:early", "out:late", "out:unfinished"});
}

TEST_CASE("a plugin that gives no port says why") {
  CHECK(PortFailure("echo 'no module named pulumi' >&2; exit 1") ==
        "could not read plugin [/bin/sh]: exit status 1; the last lines of its output:\nno module named pulumi");
  CHECK(
      PortFailure("echo Welcome; sleep 30")
          .find(
              "test (resource) plugin [/bin/sh] wrote an invalid port to stdout: could not parse port: \"Welcome\"") ==
      0);
  CHECK(PortFailure("sleep 30", 100ms).find("test (resource) plugin [/bin/sh] wrote no port to stdout within") == 0);
  CHECK(PortFailure("kill -9 $$").find("could not read plugin [/bin/sh]: signal: Killed") == 0);
  CHECK(PortFailure("exit 0") == "could not read plugin [/bin/sh]: EOF, it ended without a port on stdout");
}

TEST_CASE("a missing program is reported as the end of its process") {
  Loop loop;
  ProcessSpec spec = Shell("");
  spec.argv = {"/no/such/program"};
  auto process = PluginProcess::Start(loop, Supervisor(), spec, {});
  REQUIRE(process.ok());
  CHECK(loop.RunUntilDone((*process)->Wait()).Describe() == "No such file or directory");
}

TEST_CASE("stopping interrupts first and lets a plugin clean up") {
  Loop loop;
  auto process = Begin(loop, "trap 'exit 7' INT; echo 1; while true; do sleep 0.05; done", {});
  REQUIRE(loop.RunUntilDone(process->ReadPort(20s)).ok());
  loop.RunUntilDone(process->Stop());
  CHECK(loop.RunUntilDone(process->Wait()).code() == 7);
}

TEST_CASE("once the user insists, a plugin that ignores the interrupt is killed soon") {
  Loop loop;
  auto supervisor = *ProcessSupervisor::Start();
  supervisor->ShortenStopBudget();
  auto process = PluginProcess::Start(loop, supervisor, Shell("trap '' INT; echo 1; sleep 1000 & wait; wait"), {});
  REQUIRE(process.ok());
  REQUIRE(loop.RunUntilDone((*process)->ReadPort(20s)).ok());
  const auto begin = std::chrono::steady_clock::now();
  loop.RunUntilDone((*process)->Stop());
  CHECK(std::chrono::steady_clock::now() - begin < 4s);
  CHECK(loop.RunUntilDone((*process)->Wait()).code() == 128 + SIGKILL);
}

TEST_CASE("plugins do not inherit the passphrase") {
  setenv("PULUMI_CONFIG_PASSPHRASE", "secret-1", 1);
  setenv("PULUMI_CONFIG_PASSPHRASE_FILE", "secret-2", 1);
  for (const std::string& entry : PluginEnvironment({{"A", "b"}})) {
    CHECK(entry.find("secret-") == std::string::npos);
  }
  unsetenv("PULUMI_CONFIG_PASSPHRASE");
  unsetenv("PULUMI_CONFIG_PASSPHRASE_FILE");
}

TEST_CASE("kill -9 of the engine leaves no plugin, and no child of a plugin, behind") {
  TemporaryFile file;
  // The plugin ignores what it can, and has a child in a process group of its own.
  const std::string script = "trap '' INT TERM HUP; (set -m; (trap '' INT TERM HUP; sh -c 'echo $PPID >> " + file.path +
                             "'; while true; do sleep 1; done) & ); echo $$ >> " + file.path +
                             "; echo 1; while true; do sleep 1; done";
  const pid_t engine = fork();
  if (engine == 0) {
    Loop loop;
    auto supervisor = ProcessSupervisor::Start();
    auto process = PluginProcess::Start(loop, *supervisor, Shell(script), {});
    loop.RunUntilDone((*process)->Wait());
    _exit(0);
  }
  const std::vector<pid_t> plugins = ReadPids(file.path, 2);
  for (pid_t pid : plugins) CHECK(IsAlive(pid));
  kill(engine, SIGKILL);
  waitpid(engine, nullptr, 0);
  for (pid_t pid : plugins) CHECK(DiesWithin(pid, 30000ms));
}

TEST_CASE("a child that a plugin forked ends with the supervisor, and the plugin need not live") {
  TemporaryFile file;
  const std::string script = "(set -m; (trap '' INT TERM HUP; echo $$ > /dev/null; sh -c 'echo $PPID >> " + file.path +
                             "'; while true; do sleep 1; done) & ); exit 0";
  Loop loop;
  auto supervisor = Supervisor();
  PluginProcessOptions options;
  options.expects_port = false;
  auto process = PluginProcess::Start(loop, supervisor, Shell(script), std::move(options));
  REQUIRE(process.ok());
  const pid_t child = ReadPids(file.path, 1)[0];
  CHECK(loop.RunUntilDone((*process)->Wait()).ok());
  CHECK(IsAlive(child));
  process->reset();
  supervisor.reset();  // waits for the reaper
  CHECK_FALSE(IsAlive(child));
}

TEST_CASE("kill -9 of the engine leaves no temporary folder behind") {
  TemporaryFile file;
  const pid_t engine = fork();
  if (engine == 0) {
    auto supervisor = ProcessSupervisor::Start();
    auto folder = PrivateFolder::Create(supervisor->get());
    std::ofstream(folder->Path("socket")) << "x";
    std::ofstream(file.path) << folder->Path("");
    while (true) pause();
  }
  std::string path;
  for (int i = 0; i < 3000 && path.empty(); ++i) {
    usleep(20000);
    std::ifstream(file.path) >> path;
  }
  REQUIRE(fs::exists(path + "socket"));
  kill(engine, SIGKILL);
  waitpid(engine, nullptr, 0);
  for (int i = 0; i < 3000 && fs::exists(path); ++i) usleep(20000);
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a daemon that left for a session of its own survives the engine") {
  TemporaryFile file;
  const std::string script = "setsid sh -c 'echo $$ >> " + file.path + "; exec sleep 60' & echo 1; wait";
  const pid_t engine = fork();
  if (engine == 0) {
    Loop loop;
    auto supervisor = ProcessSupervisor::Start();
    auto process = PluginProcess::Start(loop, *supervisor, Shell(script), {});
    loop.RunUntilDone((*process)->Wait());
    _exit(0);
  }
  const pid_t daemon = ReadPids(file.path, 1)[0];
  kill(engine, SIGKILL);
  waitpid(engine, nullptr, 0);
  usleep(1200000);
  CHECK(IsAlive(daemon));
  kill(daemon, SIGKILL);
}

}  // namespace kingpost::plugin_process_test
