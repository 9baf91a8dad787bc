// SPDX-License-Identifier: Apache-2.0
// Checks locks: one holder at a time, dead ones replaced, other tools' files respected.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "base/disk/durable_file.h"
#include "base/process_identity.h"
#include "kingpost/state_store.h"
#include "store/file_lock.h"
#include "store/file_store.h"
#include "support/temp_folder.h"

namespace kingpost::lock_test {

namespace fs = std::filesystem;

const StackName kDev{"organization", "shop", "dev"};
constexpr char kLocks[] = ".pulumi/locks/organization/shop/dev";

// The number of a process that has just ended.
int DeadPid() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

std::string LockOf(const ProcessIdentity& process) {
  nlohmann::json lock = {{"pid", process.pid},
                         {"username", process.username},
                         {"hostname", process.hostname},
                         {"timestamp", "2026-11-21T01:39:29.639123456+01:00"}};
  if (!process.machine.empty()) lock["machine"] = process.machine;
  if (!process.boot_id.empty()) lock["bootId"] = process.boot_id;
  if (!process.pid_namespace.empty()) lock["pidNamespace"] = process.pid_namespace;
  if (process.start_time) lock["startTime"] = process.start_time;
  return lock.dump();
}

TEST_CASE("a stack has one holder at a time", "[store]") {
  TempFolder folder;
  auto store = *FileStore::Open(folder.path(), "", {});
  auto lock = store->Lock(kDev);
  REQUIRE(lock.ok());
  CHECK((*lock)->notices().empty());
  CHECK((*lock)->CheckHeld().ok());
  REQUIRE(FilesIn(folder / kLocks) == 1);
  const std::string path = fs::directory_iterator(folder / kLocks)->path().string();
  CHECK(std::regex_search(path,
                          std::regex("/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}.json$")));
  const auto content = nlohmann::json::parse(Slurp(path));
  CHECK(content["pid"] == getpid());
  CHECK(std::regex_match(content["timestamp"].get<std::string>(),
                         std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,8}[1-9])?Z)")));

  const Status refused = store->Lock(kDev).status();
  CHECK(std::regex_search(
      refused.message(),
      std::regex(
          R"(^the stack is currently locked by 1 lock\(s\)\. Either wait for the other process\(es\) to end or )"
          R"(delete the lock file with `kingpost cancel`\.\n  file:///\S+\.json: created by \S+@\S+ \(pid \d+\) at )"
          R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$)")));
  CHECK(store->Lock({"organization", "shop", "other"}).ok());

  lock->reset();
  CHECK(FilesIn(folder / kLocks) == 0);
  CHECK(store->Lock(kDev).ok());
}

TEST_CASE("cancel takes the lock away and the holder notices", "[store]") {
  TempFolder folder;
  auto store = *FileStore::Open(folder.path(), "", {});
  CHECK(*store->BreakLocks(kDev) == 0);
  auto lock = *store->Lock(kDev);
  CHECK(store->Locks(kDev)->at(0).pid == getpid());
  CHECK(*store->BreakLocks(kDev) == 1);
  CHECK(lock->CheckHeld().code() == Code::kAborted);
  auto next = *store->Lock(kDev);
  lock.reset();  // must not remove the lock of the next holder
  CHECK(next->CheckHeld().ok());
}

TEST_CASE("locks of dead processes are taken over with a notice", "[store]") {
  TempFolder folder;
  auto store = *FileStore::Open(folder.path(), "", {});
  ProcessIdentity dead = ThisProcess();
  SECTION("the number is unused") { dead.pid = DeadPid(); }
  SECTION("the number is used again by a younger process") { dead.start_time -= 1; }
  Spit(folder / kLocks + std::string("/a.json"), LockOf(dead));
  auto lock = store->Lock(kDev);
  REQUIRE(lock.ok());
  REQUIRE((*lock)->notices().size() == 1);
  CHECK((*lock)->notices()[0].find("(pid " + std::to_string(dead.pid) + ")") != std::string::npos);
  CHECK(FilesIn(folder / kLocks) == 1);
}

TEST_CASE("locks that may be alive are respected", "[store]") {
  TempFolder folder;
  auto store = *FileStore::Open(folder.path(), "", {});
  ProcessIdentity other = ThisProcess();
  std::string content;
  SECTION("a living process") { content = LockOf(other); }
  SECTION("a living process of the other tool") {
    content = LockOf({getppid(), other.username, other.hostname, "", "", "", 0});
  }
  SECTION("another host") {
    other.hostname = "elsewhere";
    other.pid = DeadPid();
    content = LockOf(other);
  }
  SECTION("another machine of the same name") {
    other.machine = "0123456789abcdef";
    other.boot_id = "00000000-0000-0000-0000-000000000000";
    other.pid = DeadPid();
    content = LockOf(other);
  }
  SECTION("another container of the same name") {
    other.pid_namespace = "pid:[1]";
    other.pid = DeadPid();
    content = LockOf(other);
  }
  SECTION("a container of the same image, started elsewhere") {
    other.machine = "";
    other.boot_id = "00000000-0000-0000-0000-000000000000";
    other.pid = DeadPid();
    content = LockOf(other);
  }
  SECTION("with values that no process has") {
    const auto [field, value] = GENERATE(table<std::string, std::string>({{"pid", "4294967297"},
                                                                          {"pid", "-1"},
                                                                          {"pid", "\"12\""},
                                                                          {"pid", "[{}]"},
                                                                          {"pid", "1e300"},
                                                                          {"startTime", "-1"},
                                                                          {"startTime", "{}"},
                                                                          {"bootId", "null"},
                                                                          {"hostname", "[]"}}));
    nlohmann::json lock = nlohmann::json::parse(LockOf(other));
    lock[field] = nlohmann::json::parse(value);
    content = lock.dump();
  }
  SECTION("nested without end") { content = std::string(100000, '['); }
  SECTION("half-written") { content = "{\"pid\":12"; }
  SECTION("empty") { content = ""; }
  Spit(folder / kLocks + std::string("/a.json"), content);
  const Status refused = store->Lock(kDev).status();
  CHECK(refused.message().find("the stack is currently locked by 1 lock(s)") == 0);
  CHECK(FilesIn(folder / kLocks) == 1);
}

bool IsGone(const ProcessIdentity& process, const ProcessIdentity& self) {
  return LivenessSeenBy(process, self) == Liveness::kGone;
}

TEST_CASE("a process counts as dead only if that is certain", "[store]") {
  // Every machine has an id here, those without one included.
  ProcessIdentity self = ThisProcess();
  self.machine = "0123456789abcdef";
  ProcessIdentity alive = self, dead = self;
  alive.pid = getppid();
  alive.start_time = 0;
  dead.pid = DeadPid();
  REQUIRE_FALSE(IsGone(alive, self));
  REQUIRE(IsGone(dead, self));

  ProcessIdentity restarted = alive;
  restarted.boot_id = "00000000-0000-0000-0000-000000000000";
  CHECK(IsGone(restarted, self));
  SECTION("another start counts only on the machine that is known to be the same") {
    restarted.machine = "fedcba9876543210";
    CHECK_FALSE(IsGone(restarted, self));
    restarted.machine = "";
    CHECK_FALSE(IsGone(restarted, self));
    restarted.machine = self.machine;
    self.machine = "";
    CHECK_FALSE(IsGone(restarted, self));
  }
  SECTION("an unused number counts only where the numbers are ours") {
    SECTION("another machine") { dead.machine = "fedcba9876543210"; }
    SECTION("another container") { dead.pid_namespace = "pid:[1]"; }
    SECTION("another host") { dead.hostname = "elsewhere"; }
    SECTION("a host without a name") { dead.hostname = self.hostname = ""; }
    SECTION("no number") { dead.pid = 0; }
    CHECK_FALSE(IsGone(dead, self));
  }
}

TEST_CASE("a lock without enough data about its owner is respected, and the message says so", "[store]") {
  TempFolder folder;
  auto store = *FileStore::Open(folder.path(), "", {});
  const ProcessIdentity self = ThisProcess();
  Spit(folder / kLocks + std::string("/a.json"), LockOf({DeadPid(), self.username, self.hostname, "", "", "", 0}));
  const Status refused = store->Lock(kDev).status();
  CHECK(refused.message().find("no such process is seen from here") != std::string::npos);
  CHECK(FilesIn(folder / kLocks) == 1);
  CHECK_FALSE(store->Locks(kDev)->at(0).gone);
}

// The owner of a lock, seen from a machine and from a container.
TEST_CASE("a process is gone only if that is certain", "[store]") {
  const ProcessIdentity self = ThisProcess();
  ProcessIdentity machine = self;
  machine.machine = "0123456789abcdef";
  ProcessIdentity container = self;
  container.machine = "";
  container.pid_namespace = "pid:[4026532999]";
  const int dead = DeadPid();
  const auto with = [](ProcessIdentity process, const std::function<void(ProcessIdentity&)>& change) {
    change(process);
    return process;
  };
  const auto boot = [](ProcessIdentity& p) { p.boot_id = "00000000-0000-0000-0000-000000000000"; };
  const auto unused = [dead](ProcessIdentity& p) { p.pid = dead; };
  for (const ProcessIdentity& seen_by : {machine, container}) {
    CHECK(LivenessSeenBy(seen_by, seen_by) == Liveness::kRuns);
    CHECK(LivenessSeenBy(with(seen_by, unused), seen_by) == Liveness::kGone);
    CHECK(LivenessSeenBy(with(seen_by, [](ProcessIdentity& p) { --p.start_time; }), seen_by) == Liveness::kGone);
    CHECK(LivenessSeenBy(with(seen_by, [](ProcessIdentity& p) { p.start_time = 0; }), seen_by) == Liveness::kUnknown);
    const auto elsewhere = [&](ProcessIdentity& p) { unused(p), p.pid_namespace = "pid:[1]"; };
    CHECK(LivenessSeenBy(with(seen_by, elsewhere), seen_by) == Liveness::kUnknown);
    const auto silent = [&](ProcessIdentity& p) { unused(p), p.boot_id = "", p.pid_namespace = "", p.start_time = 0; };
    CHECK(LivenessSeenBy(with(seen_by, silent), seen_by) == Liveness::kUnknown);
  }
  CHECK(LivenessSeenBy(with(machine, boot), machine) == Liveness::kGone);
  CHECK(LivenessSeenBy(with(container, boot), container) == Liveness::kUnknown);
  const auto renamed = [&](ProcessIdentity& p) { boot(p), p.hostname = "elsewhere"; };
  CHECK(LivenessSeenBy(with(machine, renamed), machine) == Liveness::kUnknown);
}

// A file that is being written is no lock yet, for either tool, and does not stay.
TEST_CASE("a process that was killed and not fetched is gone", "[store]") {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  ProcessIdentity identity = ThisProcess();
  identity.pid = child;
  identity.start_time = 0;
  CHECK(IsRunning(child));
  CHECK(LivenessOf(identity) == Liveness::kUnknown);  // alive, and nothing says which one it is
  REQUIRE(kill(child, SIGKILL) == 0);
  siginfo_t info{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);  // is a zombie from now on
  CHECK(kill(child, 0) == 0);
  CHECK_FALSE(IsRunning(child));
  CHECK(LivenessOf(identity) == Liveness::kGone);
  TempFolder folder;
  REQUIRE(WriteFileDurably(folder.path() + "/5a.json", LockOf(identity)).ok());
  CHECK(AcquireFileLock(folder.path(), "dev").status().message() == "");
  REQUIRE(waitpid(child, nullptr, 0) == child);
  CHECK(LivenessOf(identity) == Liveness::kGone);
}

TEST_CASE("a process that died while it wrote its lock blocks no other", "[store]") {
  TempFolder folder;
  auto store = *FileStore::Open(folder.path(), "", {});
  Spit(folder / kLocks + std::string("/a.json.tmp.attrs"), "{\"pid\":12");
  CHECK(store->Locks(kDev)->empty());
  auto lock = store->Lock(kDev);
  REQUIRE(lock.ok());
  CHECK(FilesIn(folder / kLocks) == 1);
}

TEST_CASE("a lock that was replaced by another file of its name is lost", "[store]") {
  TempFolder folder;
  auto store = *FileStore::Open(folder.path(), "", {});
  auto lock = *store->Lock(kDev);
  const std::string path = fs::directory_iterator(folder / kLocks)->path().string();
  const std::string content = Slurp(path);
  Spit(path + ".new", content);
  fs::rename(path + ".new", path);
  CHECK(lock->CheckHeld().code() == Code::kAborted);
  bool ran = false;
  const Status refused = lock->WhileHeld([&ran] {
    ran = true;
    return Status::Ok();
  });
  CHECK(refused.code() == Code::kAborted);
  CHECK_FALSE(ran);
}

TEST_CASE("a cancel waits while the holder writes under its lock", "[store]") {
  TempFolder folder;
  auto store = *FileStore::Open(folder.path(), "", {});
  auto lock = *store->Lock(kDev);
  std::atomic<bool> broken{false};
  std::thread canceller;
  const Status done = lock->WhileHeld([&] {
    canceller = std::thread([&] { broken = *store->BreakLocks(kDev) == 1; });
    for (int i = 0; i < 20 && !broken; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK_FALSE(broken);
    return lock->CheckHeld();
  });
  canceller.join();
  CHECK(broken);
  CHECK(done.ok());
  CHECK(lock->CheckHeld().code() == Code::kAborted);
}

TEST_CASE("an abandoned lock keeps other tools away until the next command here", "[store]") {
  TempFolder folder;
  auto store = *FileStore::Open(folder.path(), "", {});
  {
    auto lock = *store->Lock(kDev);
    lock->Abandon();
  }
  CHECK(FilesIn(folder / kLocks) == 1);
  CHECK(store->Lock(kDev).ok());
  CHECK(FilesIn(folder / kLocks) == 0);
}

TEST_CASE("exactly one of several processes gets the lock at the same instant", "[store]") {
  constexpr int kProcesses = 4;
  for (int round = 0; round < 25; ++round) {
    TempFolder folder;
    int start[2], results[2], end[2];
    REQUIRE(pipe(start) == 0);
    REQUIRE(pipe(results) == 0);
    REQUIRE(pipe(end) == 0);
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
      children.push_back(fork());
      if (children.back() != 0) continue;
      close(start[1]);
      close(end[1]);
      char byte;
      (void)!read(start[0], &byte, 1);  // returns when the parent closes its end: all start at once
      auto lock = AcquireFileLock(folder / "locks", "dev");
      (void)!write(results[1], lock.ok() ? "w" : "l", 1);
      (void)!read(end[0], &byte, 1);  // a winner stays alive until all have tried
      _exit(0);
    }
    close(start[0]);
    close(start[1]);
    int winners = 0;
    for (int i = 0; i < kProcesses; ++i) {
      char result;
      REQUIRE(read(results[0], &result, 1) == 1);
      winners += result == 'w';
    }
    CHECK(winners == 1);
    for (int fd : {end[0], end[1], results[0], results[1]}) close(fd);
    for (pid_t child : children) waitpid(child, nullptr, 0);
  }
}

}  // namespace kingpost::lock_test
