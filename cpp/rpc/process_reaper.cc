// SPDX-License-Identifier: Apache-2.0
#include "rpc/process_reaper.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

namespace kingpost {

namespace {

constexpr int kGraceMs = 500;   // between asking descendants to end and ending them
constexpr int kSweepsMax = 40;  // of SIGKILL, 25 ms apart: a dying tree may still fork
constexpr int kSpawnFiles = 3;

// ---- everything below runs in the reaper ----------------------------------------------------------------------------

struct Received {
  ReaperRequest request;
  int files[kSpawnFiles] = {-1, -1, -1};
};

// False when the other side is gone.
bool Receive(int socket, Received* out) {
  iovec part = {&out->request, sizeof out->request};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof out->files)];
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n;
  while ((n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (n != static_cast<ssize_t>(sizeof out->request)) return false;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof out->files)) {
    memcpy(out->files, CMSG_DATA(header), sizeof out->files);
  }
  return true;
}

void Reply(int socket, ReaperReply::Kind kind, uint32_t id, int32_t value) {
  ReaperReply reply{kind, id, value};
  (void)send(socket, &reply, sizeof reply, MSG_NOSIGNAL);
}

std::string ReadAll(int fd) {
  std::string bytes;
  char buffer[1 << 16];
  ssize_t n;
  lseek(fd, 0, SEEK_SET);
  while ((n = read(fd, buffer, sizeof buffer)) > 0) bytes.append(buffer, n);
  return bytes;
}

std::vector<char*> Pointers(std::vector<std::string>* strings) {
  std::vector<char*> pointers;
  for (std::string& text : *strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void DefaultSignals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Becomes the plugin; on failure tells why through `failure` and exits.
[[noreturn]] void BecomePlugin(const Received& received, pid_t reaper, int failure, ProcessSpec spec) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int error = 0;
  if (getppid() != reaper) _exit(127);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, 0);
  dup2(received.files[1], 1);
  dup2(received.files[2], 2);
  std::vector<char*> argv = Pointers(&spec.argv), environment = Pointers(&spec.environment);
  DefaultSignals();
  if (!spec.working_directory.empty() && chdir(spec.working_directory.c_str()) != 0) {
    error = errno;
  } else {
    execvpe(argv[0], argv.data(), environment.data());
    error = errno;
  }
  (void)!write(failure, &error, sizeof error);
  _exit(127);
}

// The process ID, or minus the error.
pid_t Spawn(const Received& received) {
  if (received.files[0] < 0) return -EMFILE;  // the kernel keeps back files that would be too many for us
  ProcessSpec spec = DecodeSpawn(ReadAll(received.files[0]));
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) return -errno;
  const pid_t reaper = getpid();
  const pid_t pid = fork();
  if (pid == 0) BecomePlugin(received, reaper, failure[1], std::move(spec));
  int error = pid < 0 ? errno : 0;
  close(failure[1]);
  if (pid > 0 && read(failure[0], &error, sizeof error) == sizeof error) waitpid(pid, nullptr, 0);
  close(failure[0]);
  return error != 0 ? -error : pid;
}

struct ProcessEntry {
  pid_t parent = 0;
  pid_t session = 0;
  bool zombie = false;
};

std::map<pid_t, ProcessEntry> ReadProcesses() {
  std::map<pid_t, ProcessEntry> processes;
  DIR* directory = opendir("/proc");
  if (!directory) return processes;
  while (dirent* entry = readdir(directory)) {
    const pid_t pid = static_cast<pid_t>(strtol(entry->d_name, nullptr, 10));
    if (pid <= 0) continue;
    const int fd = open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;
    char text[1024];
    const ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n < 0 ? 0 : n] = 0;
    // "pid (any name) state parent group session ..."
    const char* rest = strrchr(text, ')');
    char state = 0;
    int parent = 0, group = 0, session = 0;
    if (rest && sscanf(rest + 1, " %c %d %d %d", &state, &parent, &group, &session) == 4) {
      processes[pid] = {parent, session, state == 'Z'};
    }
  }
  closedir(directory);
  return processes;
}

// Sends `number` to every living descendant of our session; returns how many there were.
int SignalDescendants(int number) {
  const std::map<pid_t, ProcessEntry> processes = ReadProcesses();
  const pid_t self = getpid(), session = getsid(0);
  int count = 0;
  for (const auto& [pid, process] : processes) {
    if (pid == self || process.zombie || process.session != session) continue;
    pid_t ancestor = process.parent;
    while (ancestor != self && ancestor > 1) {
      auto above = processes.find(ancestor);
      ancestor = above == processes.end() ? 0 : above->second.parent;
    }
    if (ancestor != self) continue;
    ++count;
    kill(pid, number);
  }
  return count;
}

void Sleep(int milliseconds) { poll(nullptr, 0, milliseconds); }

// Reaps those that have ended; false if there are no others.
bool HasChildren() {
  pid_t pid;
  while ((pid = waitpid(-1, nullptr, WNOHANG)) > 0) {
  }
  return pid == 0;
}

void EndDescendants() {
  if (!HasChildren()) return;
  if (SignalDescendants(SIGTERM) == 0) return;
  for (int waited = 0; waited < kGraceMs; waited += 25) {
    Sleep(25);
    if (!HasChildren() || SignalDescendants(0) == 0) return;
  }
  for (int sweep = 0; sweep < kSweepsMax && SignalDescendants(SIGKILL) > 0; ++sweep) {
    Sleep(25);
    if (!HasChildren()) return;
  }
}

class Reaper {
 public:
  explicit Reaper(int socket) : socket_(socket) {}

  // Until the other side says farewell or is gone.
  void Run() {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, nullptr);
    const int exits = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    pollfd files[2] = {{socket_, POLLIN, 0}, {exits, POLLIN, 0}};
    while (true) {
      if (poll(files, 2, -1) < 0) continue;
      if (files[1].revents) {
        signalfd_siginfo info;
        while (read(exits, &info, sizeof info) > 0) {
        }
        ReportExits();
      }
      if (!files[0].revents) continue;
      Received received;
      const bool dead = !Receive(socket_, &received);
      if (!dead && received.request.kind != ReaperRequest::kFarewell) {
        Handle(received);
        continue;
      }
      EndDescendants();
      if (dead) RemoveFolders();  // else their owners have
      return;
    }
  }

 private:
  void Handle(const Received& received) {
    const uint32_t id = received.request.id;
    if (received.request.kind == ReaperRequest::kSignal) {
      for (const auto& [pid, known] : ids_) {
        if (known == id) kill(-pid, received.request.signal);
      }
      return;
    }
    if (received.request.kind == ReaperRequest::kFolder) {
      if (received.files[0] >= 0) folders_.insert(ReadAll(received.files[0]));
      for (int fd : received.files) close(fd);
      return;
    }
    const pid_t pid = Spawn(received);
    for (int fd : received.files) close(fd);
    if (pid < 0) {
      Reply(socket_, ReaperReply::kFailedToStart, id, -pid);
    } else {
      ids_[pid] = id;
    }
  }

  void ReportExits() {
    int status = 0;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      auto known = ids_.find(pid);
      if (known == ids_.end()) continue;  // someone's orphan
      Reply(socket_, ReaperReply::kExited, known->second, status);
      ids_.erase(known);
    }
  }

  void RemoveFolders() {
    std::error_code ignored;
    for (const std::string& folder : folders_) std::filesystem::remove_all(folder, ignored);
  }

  int socket_;
  std::map<pid_t, uint32_t> ids_;
  std::set<std::string> folders_;
};

void CloseOtherFiles(int keep) {
  dup2(keep, 3);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 4u, ~0u, 0u) == 0) return;
#endif
  for (int fd = 4; fd < 65536; ++fd) close(fd);
}

[[noreturn]] void ReaperMain(int socket) {
  DefaultSignals();
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP}) signal(number, SIG_IGN);
  setpgid(0, 0);  // a Ctrl-C is for the command, which then tells the plugins
  prctl(PR_SET_NAME, "kingpost-reaper");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  CloseOtherFiles(socket);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  // Whoever reads our output must see its end when the command ends, not when the reaper does.
  const int null = open("/dev/null", O_RDWR);
  for (int fd : {0, 1, 2}) dup2(null, fd);
  Reaper(3).Run();
  _exit(0);
}

}  // namespace

std::string EncodeSpawn(const ProcessSpec& spec) {
  std::string payload = spec.working_directory + '\0' + std::to_string(spec.argv.size()) + '\0';
  for (const std::string& text : spec.argv) payload += text + '\0';
  for (const std::string& text : spec.environment) payload += text + '\0';
  return payload;
}

ProcessSpec DecodeSpawn(const std::string& payload) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < payload.size();) {
    const size_t end = payload.find('\0', at);
    parts.push_back(payload.substr(at, end - at));
    at = end + 1;
  }
  ProcessSpec spec;
  spec.working_directory = parts[0];
  const size_t count = std::strtoul(parts[1].c_str(), nullptr, 10);
  spec.argv.assign(parts.begin() + 2, parts.begin() + 2 + count);
  spec.environment.assign(parts.begin() + 2 + count, parts.end());
  return spec;
}

Result<ReaperHandle> StartReaper() {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Status(Code::kInternal, std::string("cannot start the process that watches plugins: ") + strerror(errno));
  }
  const pid_t pid = fork();
  if (pid == 0) ReaperMain(sockets[1]);
  close(sockets[1]);
  if (pid < 0) {
    close(sockets[0]);
    return Status(Code::kInternal, std::string("cannot start the process that watches plugins: ") + strerror(errno));
  }
  return ReaperHandle{pid, sockets[0]};
}

}  // namespace kingpost
