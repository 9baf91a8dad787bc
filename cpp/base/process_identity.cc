// SPDX-License-Identifier: Apache-2.0
// See process_identity.h. Reads /proc.
#include "base/process_identity.h"

#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/digest.h"
#include "base/os.h"

namespace kingpost {
namespace {

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// systemd asks that the machine's id is not shown as it is.
std::string MachineHash() {
  const std::string id = FirstLine("/etc/machine-id");
  if (id.empty()) return "";
  return Sha256Hex("kingpost:" + id).substr(0, 16);
}

// The fields of /proc/PID/stat from the third on; the name in the second may hold spaces and brackets, so they begin
// behind its last bracket. Empty if there is no such process, or it may not be looked at.
std::istringstream StatFields(const std::string& process) {
  const std::string stat = FirstLine(process + "/stat");
  const size_t bracket = stat.rfind(')');
  return std::istringstream(bracket == std::string::npos ? "" : stat.substr(bracket + 1));
}

std::string ProcessFolder(int pid) { return "/proc/" + std::to_string(pid); }

// Field 22.
uint64_t StartTime(int pid) {
  std::istringstream fields = StatFields(ProcessFolder(pid));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  uint64_t start_time = 0;
  fields >> start_time;
  return start_time;
}

// Field 3: dead, and not yet fetched by its parent.
bool IsZombie(const std::string& process) {
  std::string state;
  StatFields(process) >> state;
  return state == "Z" || state == "X";
}

// A thread of it that hangs in the kernel may still write; its first thread is a zombie then before it.
bool HasEnded(int pid) {
  if (!IsZombie(ProcessFolder(pid))) return false;
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator(ProcessFolder(pid) + "/task", error)) {
    if (!IsZombie(thread.path().string()) && std::filesystem::exists(thread.path(), error)) return false;
  }
  return true;
}

std::string Namespace(const std::string& kind) {
  char target[64];
  const ssize_t size = readlink(("/proc/self/ns/" + kind).c_str(), target, sizeof target);
  return size > 0 ? std::string(target, static_cast<size_t>(size)) : "";
}

// The namespaces that the kernel starts with have fixed numbers. A container has at least one of its own.
bool InContainer() { return Namespace("pid") != "pid:[4026531836]" || Namespace("uts") != "uts:[4026531838]"; }

}  // namespace

ProcessIdentity ThisProcess() {
  ProcessIdentity self;
  self.pid = getpid();
  self.username = UserName();
  self.hostname = HostName();
  if (!InContainer()) self.machine = MachineHash();
  self.boot_id = FirstLine("/proc/sys/kernel/random/boot_id");
  self.pid_namespace = Namespace("pid");
  self.start_time = StartTime(self.pid);
  return self;
}

bool IsRunning(int pid) { return (kill(pid, 0) == 0 || errno != ESRCH) && !HasEnded(pid); }

Liveness LivenessSeenBy(const ProcessIdentity& process, const ProcessIdentity& self) {
  if (process.pid <= 0 || process.boot_id.empty() || self.boot_id.empty()) return Liveness::kUnknown;
  if (process.pid_namespace.empty() || process.pid_namespace != self.pid_namespace) return Liveness::kUnknown;
  if (process.hostname.empty() || process.hostname != self.hostname) return Liveness::kUnknown;
  if (!process.machine.empty() && !self.machine.empty() && process.machine != self.machine) return Liveness::kUnknown;
  if (process.boot_id != self.boot_id) {
    const bool same_machine = !process.machine.empty() && process.machine == self.machine;
    return same_machine ? Liveness::kGone : Liveness::kUnknown;
  }
  if (!IsRunning(process.pid)) return Liveness::kGone;
  // Processes of other users may be hidden: no start time is no other start time.
  const uint64_t start_time = StartTime(process.pid);
  if (start_time == 0 || process.start_time == 0) return Liveness::kUnknown;
  return start_time == process.start_time ? Liveness::kRuns : Liveness::kGone;
}

Liveness LivenessOf(const ProcessIdentity& process) { return LivenessSeenBy(process, ThisProcess()); }

}  // namespace kingpost
