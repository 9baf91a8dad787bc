// See process_identity.h. Reads /proc.
#include "store/process_identity.h"

#include <openssl/sha.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/encoding.h"

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
  const std::string text = "kingpost:" + id;
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
  return HexEncode({reinterpret_cast<const char*>(digest), 8});
}

// Field 22 of /proc/PID/stat; the name in field 2 may hold spaces and brackets, so count from its last bracket.
uint64_t StartTime(int pid) {
  const std::string stat = FirstLine("/proc/" + std::to_string(pid) + "/stat");
  const size_t bracket = stat.rfind(')');
  if (bracket == std::string::npos) return 0;
  std::istringstream fields(stat.substr(bracket + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  uint64_t start_time = 0;
  fields >> start_time;
  return start_time;
}

std::string PidNamespace() {
  char target[64];
  const ssize_t size = readlink("/proc/self/ns/pid", target, sizeof target);
  return size > 0 ? std::string(target, static_cast<size_t>(size)) : "";
}

std::string UserName() {
  if (const passwd* entry = getpwuid(getuid())) return entry->pw_name;
  const char* user = std::getenv("USER");
  return user ? user : std::to_string(getuid());
}

}  // namespace

ProcessIdentity ThisProcess() {
  char hostname[HOST_NAME_MAX + 1] = {};
  gethostname(hostname, sizeof hostname - 1);
  ProcessIdentity self;
  self.pid = getpid();
  self.username = UserName();
  self.hostname = hostname;
  self.machine = MachineHash();
  self.boot_id = FirstLine("/proc/sys/kernel/random/boot_id");
  self.pid_namespace = PidNamespace();
  self.start_time = StartTime(self.pid);
  return self;
}

bool IsDead(const ProcessIdentity& process) { return IsDead(process, ThisProcess()); }

bool IsDead(const ProcessIdentity& process, const ProcessIdentity& self) {
  if (process.pid <= 0 || process.hostname.empty() || process.hostname != self.hostname) return false;
  if (!process.machine.empty() && !self.machine.empty() && process.machine != self.machine) return false;
  if (!process.boot_id.empty() && process.boot_id != self.boot_id) {
    // Another start of this machine, or another machine of the same name: only the machine's id tells.
    return !process.machine.empty() && process.machine == self.machine;
  }
  if (!process.pid_namespace.empty() && process.pid_namespace != self.pid_namespace) return false;
  if (kill(process.pid, 0) != 0 && errno == ESRCH) return true;
  return process.start_time != 0 && StartTime(process.pid) != process.start_time;
}

}  // namespace kingpost
