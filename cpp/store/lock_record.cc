// SPDX-License-Identifier: Apache-2.0
#include "store/lock_record.h"

#include <algorithm>
#include <climits>
#include <mutex>
#include <set>

#include "base/clock.h"
#include "base/command_name.h"
#include "base/encoding.h"
#include "base/json_access.h"
#include "base/random_bytes.h"
#include "kingpost/stack_locked.h"

namespace kingpost {

namespace {

struct AbandonedLocks {
  std::mutex mutex;
  std::set<std::string> locations;
};

AbandonedLocks& Abandoned() {
  static auto* abandoned = new AbandonedLocks;
  return *abandoned;
}

bool WasLeft(const std::string& location) {
  const std::lock_guard<std::mutex> lock(Abandoned().mutex);
  return Abandoned().locations.count(location) > 0;
}

ProcessIdentity IdentityOf(const nlohmann::json& content) {
  ProcessIdentity process;
  const int64_t pid = IntegerOf(content, "pid");
  process.pid = pid > 0 && pid <= INT_MAX ? static_cast<int>(pid) : 0;  // 0 for what is no process ID
  process.username = TextOf(content, "username");
  process.hostname = TextOf(content, "hostname");
  process.machine = TextOf(content, "machine");
  process.boot_id = TextOf(content, "bootId");
  process.pid_namespace = TextOf(content, "pidNamespace");
  process.start_time = static_cast<uint64_t>(std::max<int64_t>(0, IntegerOf(content, "startTime")));
  return process;
}

}  // namespace

std::string NewLockId() { return FormatUuid4(RandomBytes(16)); }

std::string NewLockRecord(bool headed) {
  const ProcessIdentity self = ThisProcess();
  nlohmann::ordered_json content = {{"pid", self.pid},
                                    {"username", self.username},
                                    {"hostname", self.hostname},
                                    {"timestamp", NowRfc3339()},
                                    {"machine", self.machine},
                                    {"bootId", self.boot_id},
                                    {"pidNamespace", self.pid_namespace},
                                    {"startTime", self.start_time}};
  if (headed) content["headed"] = true;
  return content.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

ProcessIdentity IdentityIn(const std::string& json) { return IdentityOf(ParseJson(json)); }

LockRecord ParseLockRecord(const std::string& location, const std::string& bytes) {
  LockRecord lock;
  const nlohmann::json content = ParseJson(bytes);
  lock.process = IdentityOf(content);
  lock.holder.location = location;
  lock.holder.username = lock.process.username;
  lock.holder.hostname = lock.process.hostname;
  lock.holder.timestamp = TextOf(content, "timestamp");
  lock.holder.pid = lock.process.pid;
  lock.headed = BoolOf(content, "headed");
  lock.gone = WasLeft(location) || LivenessOf(lock.process) == Liveness::kGone;
  return lock;
}

void AbandonLock(const std::string& location) {
  const std::lock_guard<std::mutex> lock(Abandoned().mutex);
  Abandoned().locations.insert(location);
}

std::string TakeoverNotice(const LockRecord& lock, const std::string& stack) {
  return "took over the lock of stack " + stack + " left by " + lock.holder.username + "@" + lock.holder.hostname +
         " (pid " + std::to_string(lock.holder.pid) + ") at " + lock.holder.timestamp + ": that process is gone";
}

std::vector<LockHolder> Holders(const std::vector<LockRecord>& locks) {
  const ProcessIdentity self = ThisProcess();
  std::vector<LockHolder> holders;
  for (const LockRecord& lock : locks) {
    holders.push_back(lock.holder);
    holders.back().gone = lock.gone;
    const bool unseen = lock.process.pid > 0 && !IsRunning(lock.process.pid);
    if (unseen && LivenessSeenBy(lock.process, self) == Liveness::kUnknown) {
      holders.back().remark =
          "; no such process is seen from here, but whether it is gone cannot be told (it may be in another container "
          "or on another machine)";
    }
  }
  return holders;
}

Status LockedError(const std::vector<LockHolder>& holders) {
  std::string text = "the stack is currently locked by " + std::to_string(holders.size()) +
                     " lock(s). Either wait for the other process(es) to end or delete the lock file with " +
                     QuotedCommand("cancel") + ".";
  for (const LockHolder& holder : holders) {
    // Fractions of a second are left out, as RFC 3339 without them is what tools parse here.
    std::string time = holder.timestamp;
    const size_t dot = time.find('.');
    if (dot != std::string::npos) time.erase(dot, time.find_first_not_of("0123456789", dot + 1) - dot);
    const std::string location = holder.location[0] == '/' ? "file://" + holder.location : holder.location;
    text += "\n  " + location + ": created by ";
    text += holder.pid == 0 ? "an unknown process"
                            : holder.username + "@" + holder.hostname + " (pid " + std::to_string(holder.pid) +
                                  ") at " + time + holder.remark;
  }
  return Status(Code::kFailedPrecondition, text).With(StackLocked());
}

}  // namespace kingpost
