// SPDX-License-Identifier: Apache-2.0
// The reaper is a fork of a process with threads. A lock that one of these holds is never released in the fork.
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <regex>
#include <thread>

#include "processes/private_folder.h"
#include "processes/process_supervisor.h"

namespace kingpost::reaper_test {

namespace fs = std::filesystem;

// The functions that POSIX lets a signal handler call, and so the child of a process with threads. Also functions of
// the C library that only put their arguments into registers, and execvpe, which builds paths on its stack.
const std::regex kHarmless(
    R"((chdir|close|dup2|execvpe|fcntl|fork|fstat(64)?|getdents64|getpid|getppid|getsid|kill|lseek(64)?|mmap(64)?|mremap|munmap)"
    R"(|open(64)?|openat(64)?|pipe2|poll|prctl|read|recvmsg|send|setpgid|sigaddset|sigemptyset|signal|signalfd|sigprocmask)"
    R"(|syscall|unlinkat|waitpid|write|_exit|mem(cpy|move|set|chr)|str(cat|chr|cmp|cpy|len|rchr)|__errno_location)"
    R"(|__[a-z0-9]+_chk|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__([atu]|ub)san_\w+))");

// Returns the undefined symbols of reaper_main.cc's object file, from the archive beside this program.
std::vector<std::string> WhatTheReaperCalls() {
  const fs::path archive = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "libkp_processes.a";
  REQUIRE(fs::exists(archive));
  const std::string command = "nm --undefined-only --print-file-name '" + archive.string() + "'";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::vector<std::string> names;
  char line[4096];
  while (pipe && fgets(line, sizeof line, pipe.get())) {
    std::string text = line;
    if (text.find("reaper_main.cc") == std::string::npos) continue;
    text.pop_back();
    names.push_back(text.substr(text.rfind(' ') + 1));
  }
  return names;
}

TEST_CASE("the reaper calls nothing that allocates or waits for a lock") {
  const std::vector<std::string> names = WhatTheReaperCalls();
  CHECK(std::find(names.begin(), names.end(), "recvmsg") != names.end());
  for (const std::string& name : names) {
    INFO(name);
    CHECK(std::regex_match(name, kHarmless));
  }
}

// In a process of its own: threads that take and give memory, all from one arena, while reapers start. One has the C
// library look for pages to give back, through thousands of holes, and so holds the arena's lock most of the time.
[[noreturn]] void StartReapersAmongAllocations(int count) {
  setpgid(0, 0);  // in which a reaper that hangs is ended, too
  mallopt(M_ARENA_MAX, 1);
  std::vector<void*> blocks;
  for (int i = 0; i < 4000; ++i) blocks.push_back(std::malloc(10000));
  for (size_t i = 0; i < blocks.size(); i += 2) std::free(blocks[i]);
  std::thread([] {
    for (;; usleep(100)) malloc_trim(0);
  }).detach();
  for (unsigned i = 0; i < 2; ++i) {
    std::thread([i]() mutable {
      for (;; i += 997) std::free(std::malloc(2000 + i % 50000));
    }).detach();
  }
  for (int i = 0; i < count; ++i) {
    auto supervisor = ProcessSupervisor::Start();
    if (!supervisor.ok()) _exit(2);
    std::atomic<bool> ended = false;
    ProcessHandler handler;
    handler.on_exit = [&ended](ProcessExit exit) { ended = exit.code() == 7; };
    ProcessSpec spec;
    spec.argv = {"/bin/sh", "-c", "exit 7"};
    if (!(*supervisor)->Spawn(spec, std::move(handler)).ok()) _exit(3);
    while (!ended) usleep(1000);
  }
  _exit(0);
}

TEST_CASE("a reaper works whatever other threads do while it starts") {
  const pid_t engine = fork();
  if (engine == 0) StartReapersAmongAllocations(40);
  int status = 0;
  pid_t ended = 0;
  for (int i = 0; i < 6000 && ended == 0; ++i) {
    usleep(10000);
    ended = waitpid(engine, &status, WNOHANG);
  }
  if (ended == 0) {
    kill(-engine, SIGKILL);
    waitpid(engine, nullptr, 0);
    FAIL("a reaper does not answer");
  }
  CHECK(status == 0);
}

// No handler that a library has registered for forks runs in the reaper, nor in what it starts: some take locks.
std::atomic<int> g_forks = 0;
TEST_CASE("no library hears of the fork of a reaper") {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork([] { ++g_forks; }, nullptr, nullptr); });
  const int before = g_forks;
  auto supervisor = ProcessSupervisor::Start();
  REQUIRE(supervisor.ok());
#ifdef KINGPOST_THREAD_SANITIZER
  CHECK(g_forks == before + 1);  // its runtime wants a fork that it knows
#else
  CHECK(g_forks == before);
#endif
}

TEST_CASE("after a death the reaper removes folders with all that is in them, and follows no link") {
  const fs::path kept = fs::temp_directory_path() / ("kingpost-kept-" + std::to_string(getpid()));
  fs::create_directories(kept);
  std::ofstream(kept / "file") << "x";
  int told[2];
  REQUIRE(pipe(told) == 0);
  const pid_t engine = fork();
  if (engine == 0) {
    auto supervisor = ProcessSupervisor::Start();
    auto folder = PrivateFolder::Create(supervisor->get());
    const fs::path root = folder->Path("");
    fs::path deep = root;
    for (int i = 0; i < 200; ++i) deep /= "d";
    fs::create_directories(deep);
    for (int i = 0; i < 1000; ++i) std::ofstream(root / ("a file of many, " + std::to_string(i))) << i;
    fs::create_directory_symlink(kept, deep / "link");
    const std::string text = root.string();
    (void)!write(told[1], text.data(), text.size());
    _exit(0);  // without a farewell
  }
  close(told[1]);
  waitpid(engine, nullptr, 0);
  char text[4096];
  const ssize_t size = read(told[0], text, sizeof text);
  close(told[0]);
  REQUIRE(size > 0);
  const fs::path root(std::string(text, size));
  for (int i = 0; i < 3000 && fs::exists(root); ++i) usleep(10000);
  CHECK_FALSE(fs::exists(root));
  CHECK(fs::exists(kept / "file"));
  fs::remove_all(kept);
}

}  // namespace kingpost::reaper_test
