// SPDX-License-Identifier: Apache-2.0
#include "processes/reaper_main.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <initializer_list>

#include "processes/mapped_array.h"

namespace kingpost {

namespace {

constexpr int kGraceMs = 500;  // between asking descendants to end and ending them
constexpr size_t kOrphansKept = 64;
constexpr int kSweepsMax = 40;     // of SIGKILL, 25 ms apart: a dying tree may still fork
constexpr int kRemovalsMax = 100;  // passes over one folder: another process may go on writing there
constexpr int kSpawnFiles = 4;

struct Received {
  ReaperRequest request;
  int files[kSpawnFiles] = {-1, -1, -1, -1};
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

// The texts of a payload, as long as this lives.
class Payload {
 public:
  explicit Payload(int fd) {
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0 || status.st_size <= 0) return;
    void* bytes = mmap(nullptr, status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) return;
    size_ = status.st_size;
    next_ = bytes_ = static_cast<char*>(bytes);
  }
  ~Payload() {
    if (bytes_) munmap(bytes_, size_);
  }
  Payload(const Payload&) = delete;

  bool ok() const { return bytes_ && bytes_[size_ - 1] == 0; }

  // nullptr after the last one.
  char* Next() {
    if (next_ == bytes_ + size_) return nullptr;
    char* text = next_;
    next_ += strlen(text) + 1;
    return text;
  }

 private:
  char *bytes_ = nullptr, *next_ = nullptr;
  size_t size_ = 0;
};

// The decimal number at *text, which is moved behind it.
int ReadNumber(const char** text) {
  while (**text == ' ') ++*text;
  int number = 0;
  for (; **text >= '0' && **text <= '9'; ++*text) number = number * 10 + (**text - '0');
  return number;
}

void DefaultSignals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

struct Program {
  const char* working_directory;
  char** argv;
  char** environment;
};

// Becomes the plugin; on failure tells why through `failure` and exits.
[[noreturn]] void BecomePlugin(const Received& received, pid_t reaper, int failure, const Program& program) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int error = 0;
  if (getppid() != reaper) _exit(127);
  for (int file : {0, 1, 2}) dup2(received.files[file + 1], file);
  DefaultSignals();
  if (*program.working_directory && chdir(program.working_directory) != 0) {
    error = errno;
  } else {
    execvpe(program.argv[0], program.argv, program.environment);  // puts names together on the stack
    error = errno;
  }
  (void)!write(failure, &error, sizeof error);
  _exit(127);
}

struct ProcessEntry {
  pid_t pid;
  pid_t parent;
  pid_t session;
  bool zombie;
};

// Calls use(name) for each name in a folder, from where its file stands.
template <class Use>
void ForEachName(int folder, Use use) {
  alignas(dirent64) char entries[2048];
  ssize_t size;
  while ((size = getdents64(folder, entries, sizeof entries)) > 0) {
    for (ssize_t at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) use(entry->d_name);
    }
  }
}

bool ReadProcess(int proc, const char* name, ProcessEntry* out) {
  const char* rest = name;
  out->pid = ReadNumber(&rest);
  if (out->pid <= 0 || *rest || strlen(name) > 16) return false;
  char path[32];
  strcpy(path, name);
  strcat(path, "/stat");
  const int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[1024];
  const ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  text[n < 0 ? 0 : n] = 0;
  // "pid (any name) state parent group session ..."
  rest = strrchr(text, ')');
  if (!rest || rest[1] != ' ' || !rest[2]) return false;
  out->zombie = rest[2] == 'Z';
  rest += 3;
  out->parent = ReadNumber(&rest);
  ReadNumber(&rest);  // the group
  out->session = ReadNumber(&rest);
  return true;
}

// Removes a file, or a folder with all that can be removed in it. True if it is gone.
bool RemoveTree(int parent, const char* name) {
  if (unlinkat(parent, name, 0) == 0) return true;
  if (errno != EISDIR && errno != EPERM) return false;
  const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0) {
    // Where names go while they are listed, some file systems pass others over.
    bool removed = true;
    for (int pass = 0; removed && pass < kRemovalsMax; ++pass) {
      removed = false;
      lseek(folder, 0, SEEK_SET);
      ForEachName(folder, [&](const char* each) { removed |= RemoveTree(folder, each); });
    }
    close(folder);
  }
  return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

void Sleep(int milliseconds) { poll(nullptr, 0, milliseconds); }

// Reaps those that have ended; false if there are no others.
bool HasChildren() {
  pid_t pid;
  while ((pid = waitpid(-1, nullptr, WNOHANG)) > 0) {
  }
  return pid == 0;
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
      if (!dead && received.request.kind != ReaperRequest::kShutdown) {
        Handle(received);
        for (int fd : received.files) {
          if (fd >= 0) close(fd);
        }
        continue;
      }
      EndDescendants();
      if (dead) RemoveFolders();  // else their owners have
      return;
    }
  }

 private:
  struct Started {
    pid_t pid;
    uint32_t id;
  };
  struct Orphan {
    pid_t pid;
    int status;
  };

  void Handle(const Received& received) {
    const uint32_t id = received.request.id;
    switch (received.request.kind) {
      case ReaperRequest::kSignal:
        for (const Started& one : started_) {
          if (one.id == id) kill(-one.pid, received.request.value);
        }
        return;
      case ReaperRequest::kFolder:
        return AddFolder(received.files[0]);
      case ReaperRequest::kAdopt:
        return Adopt(received.request.value, id);
      default: {
        const pid_t pid = Spawn(received);
        if (pid < 0) {
          Reply(socket_, ReaperReply::kFailedToStart, id, -pid);
        } else {
          started_.Push({pid, id});
        }
      }
    }
  }

  // It may have ended before its request is read, and may have been taken for an orphan then.
  void Adopt(pid_t pid, uint32_t id) {
    int status = 0;
    const bool has_room = started_.Reserve(1);
    if (!has_room) kill(-pid, SIGKILL);
    const pid_t ended = waitpid(pid, &status, has_room ? WNOHANG : 0);
    if (ended == 0) {
      started_.Push({pid, id});
    } else {
      Reply(socket_, ReaperReply::kExited, id, ended > 0 ? status : StatusOfOrphan(pid));
    }
  }

  // The last of that process ID.
  int StatusOfOrphan(pid_t pid) const {
    for (size_t back = 1; back <= kOrphansKept; ++back) {
      const Orphan& one = orphans_[(next_orphan_ - back) % kOrphansKept];
      if (one.pid == pid) return one.status;
    }
    return SIGKILL;
  }

  // The process ID, or minus the error.
  pid_t Spawn(const Received& received) {
    if (received.files[0] < 0) return -EMFILE;  // the kernel keeps back files that would be too many for us
    if (!started_.Reserve(1)) return -ENOMEM;
    Payload payload(received.files[0]);
    if (!payload.ok()) return -ENOMEM;
    const char* working_directory = payload.Next();
    const char* count = payload.Next();
    if (!count) return -EINVAL;
    // The arguments, nullptr, the environment, nullptr.
    int arguments = ReadNumber(&count);
    words_.Clear();
    size_t environment = 0;
    char* word;
    do {
      word = payload.Next();
      if (arguments-- == 0) {
        if (!words_.Push(nullptr)) return -ENOMEM;
        environment = words_.size();
      }
      if (!words_.Push(word)) return -ENOMEM;
    } while (word);
    if (environment < 2) return -EINVAL;

    int failure[2];
    if (pipe2(failure, O_CLOEXEC) != 0) return -errno;
    const pid_t reaper = getpid();
    const pid_t pid = ForkWithoutHandlers();
    if (pid == 0) {
      BecomePlugin(received, reaper, failure[1], {working_directory, words_.begin(), words_.begin() + environment});
    }
    int error = pid < 0 ? errno : 0;
    close(failure[1]);
    if (pid > 0 && read(failure[0], &error, sizeof error) == sizeof error) waitpid(pid, nullptr, 0);
    close(failure[0]);
    return error != 0 ? -error : pid;
  }

  void ReportExits() {
    int status = 0;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      if (!ReportExit(pid, status)) orphans_[next_orphan_++ % kOrphansKept] = {pid, status};
    }
  }

  // False for someone's orphan.
  bool ReportExit(pid_t pid, int status) {
    for (Started& one : started_) {
      if (one.pid != pid) continue;
      Reply(socket_, ReaperReply::kExited, one.id, status);
      started_.Remove(&one);
      return true;
    }
    return false;
  }

  void ReadProcesses() {
    processes_.Clear();
    const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0) return;
    ForEachName(proc, [&](const char* name) {
      ProcessEntry entry;
      if (ReadProcess(proc, name, &entry)) processes_.Push(entry);
    });
    close(proc);
  }

  const ProcessEntry* FindProcess(pid_t pid) {
    for (const ProcessEntry& one : processes_) {
      if (one.pid == pid) return &one;
    }
    return nullptr;
  }

  // Sends `number` to every living descendant of our session; returns how many there were.
  int SignalDescendants(int number) {
    ReadProcesses();
    const pid_t self = getpid(), session = getsid(0);
    int count = 0;
    for (const ProcessEntry& one : processes_) {
      if (one.pid == self || one.zombie || one.session != session) continue;
      pid_t ancestor = one.parent;
      while (ancestor != self && ancestor > 1) {
        const ProcessEntry* above = FindProcess(ancestor);
        ancestor = above ? above->parent : 0;
      }
      if (ancestor != self) continue;
      ++count;
      kill(one.pid, number);
    }
    return count;
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

  void AddFolder(int file) {
    Payload payload(file);
    const char* path = payload.ok() ? payload.Next() : nullptr;
    if (!path || !folders_.Reserve(strlen(path) + 1)) return;
    for (; *path; ++path) folders_.Push(*path);
    folders_.Push(0);
  }

  void RemoveFolders() {
    for (const char* path = folders_.begin(); path != folders_.end(); path += strlen(path) + 1) {
      RemoveTree(AT_FDCWD, path);
    }
  }

  int socket_;
  MappedArray<Started> started_;
  Orphan orphans_[kOrphansKept] = {};  // the last that ended, as a ring
  size_t next_orphan_ = 0;
  MappedArray<char*> words_;
  MappedArray<ProcessEntry> processes_;
  MappedArray<char> folders_;  // one text after the other
};

void CloseOtherFiles(int keep) {
  dup2(keep, 3);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 4u, ~0u, 0u) == 0) return;
#endif
  for (int fd = 4; fd < 65536; ++fd) close(fd);
}

}  // namespace

pid_t ForkWithoutHandlers() {
#ifdef KINGPOST_THREAD_SANITIZER
  return fork();  // whose runtime must know, else it waits for its own locks in the child
#else
  return static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
#endif
}

void ReaperMain(int socket) {
  DefaultSignals();
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP}) signal(number, SIG_IGN);
  setpgid(0, 0);  // a Ctrl-C is for the command, which then tells the plugins
  prctl(PR_SET_NAME, "kingpost-reaper");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  CloseOtherFiles(socket);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  // A reader of our output must see its end when the command ends, not when the reaper does.
  const int null = open("/dev/null", O_RDWR);
  for (int fd : {0, 1, 2}) dup2(null, fd);
  Reaper(3).Run();
  _exit(0);
}

}  // namespace kingpost
