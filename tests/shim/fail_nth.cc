// SPDX-License-Identifier: Apache-2.0
// Makes the Nth call of one kind fail, or kills the process there, in a program that knows nothing of it (LD_PRELOAD).
//
//   KINGPOST_FAIL_CALL    open, write, sync, rename, link, unlink, mkdir, connect, fork or memory
//   KINGPOST_FAIL_AT      N, from 1; 0: only count
//   KINGPOST_FAIL_ERRNO   the number to fail with; 0: SIGKILL instead
//   KINGPOST_FAIL_COUNT   a file of 80 bytes: ten counters, in the order above, shared by the command and all that it
//   forks KINGPOST_FAIL_PROGRAM only processes of this name count, because language hosts and plugins inherit the
//   variables
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

enum Kind { kOpen, kWrite, kSync, kRename, kLink, kUnlink, kMkdir, kConnect, kFork, kMemory, kNone };

Kind g_kind = kNone;
unsigned long g_at = 0;
int g_errno = 0;
unsigned long* g_count = nullptr;

Kind ParseKind(const char* word) {
  static const struct {
    const char* word;
    Kind kind;
  } kWords[] = {{"open", kOpen}, {"write", kWrite},   {"sync", kSync},   {"rename", kRename},
                {"link", kLink}, {"unlink", kUnlink}, {"mkdir", kMkdir}, {"connect", kConnect},
                {"fork", kFork}, {"memory", kMemory}};
  for (const auto& one : kWords) {
    if (word && strcmp(word, one.word) == 0) return one.kind;
  }
  return kNone;
}

template <class F>
F* Next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

__attribute__((constructor)) void SetUp() {
  const char* program = getenv("KINGPOST_FAIL_PROGRAM");
  const char* file = getenv("KINGPOST_FAIL_COUNT");
  if (!file || (program && strcmp(program, program_invocation_short_name) != 0)) return;
  const int fd = Next<int(const char*, int, ...)>("open")(file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void* page = mmap(nullptr, kNone * sizeof(unsigned long), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (page == MAP_FAILED) return;
  g_count = static_cast<unsigned long*>(page);
  if (const char* at = getenv("KINGPOST_FAIL_AT")) g_at = strtoul(at, nullptr, 10);
  if (const char* number = getenv("KINGPOST_FAIL_ERRNO")) g_errno = atoi(number);
  g_kind = ParseKind(getenv("KINGPOST_FAIL_CALL"));
}

// Whether this is the call that fails.
bool Fails(Kind kind) {
  if (!g_count) return false;
  const unsigned long number = __atomic_add_fetch(&g_count[kind], 1, __ATOMIC_SEQ_CST);
  if (kind != g_kind || number != g_at) return false;
  if (g_errno == 0) kill(getpid(), SIGKILL);
  errno = g_errno;
  return true;
}

}  // namespace

extern "C" {

#define KP_PASS(kind, result, name, parameters, arguments)         \
  result name parameters {                                         \
    static auto* const next = Next<result parameters>(#name);      \
    return Fails(kind) ? static_cast<result>(-1) : next arguments; \
  }

KP_PASS(kSync, int, fsync, (int fd), (fd))
KP_PASS(kSync, int, fdatasync, (int fd), (fd))
KP_PASS(kRename, int, rename, (const char* from, const char* to), (from, to))
KP_PASS(kLink, int, link, (const char* from, const char* to), (from, to))
KP_PASS(kUnlink, int, unlink, (const char* path), (path))
KP_PASS(kMkdir, int, mkdir, (const char* path, mode_t mode), (path, mode))
KP_PASS(kConnect, int, connect, (int fd, const sockaddr* to, socklen_t size), (fd, to, size))
KP_PASS(kFork, pid_t, fork, (), ())

// The command forks by the number of the call (processes/reaper_main.cc).
long syscall(long number, ...) noexcept {
  static auto* const next = Next<long(long, ...)>("syscall");
  va_list all;
  va_start(all, number);
  long given[6];
  for (long& each : given) each = va_arg(all, long);
  va_end(all);
  if (number == SYS_clone && Fails(kFork)) return -1;
  return next(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

// Only what can fail: files, and what standard output and error lead to. A process that wakes itself by a pipe of its
// own need not be ready for that to fail.
bool FailsAsWrite(int fd) {
  struct stat status;
  const bool counts = fd == 1 || fd == 2 || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode));
  return counts && Fails(kWrite);
}

ssize_t write(int fd, const void* from, size_t size) {
  static auto* const next = Next<ssize_t(int, const void*, size_t)>("write");
  return FailsAsWrite(fd) ? -1 : next(fd, from, size);
}

ssize_t pwrite(int fd, const void* from, size_t size, off_t at) {
  static auto* const next = Next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return FailsAsWrite(fd) ? -1 : next(fd, from, size, at);
}

ssize_t pwrite64(int fd, const void* from, size_t size, off64_t at) { return pwrite(fd, from, size, at); }

int open(const char* path, int flags, ...) {
  static auto* const next = Next<int(const char*, int, ...)>("open");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return Fails(kOpen) ? -1 : next(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open(path, flags, mode);
}

// Memory that the command's allocator asks for. The allocator is linked into the command, where nobody can come
// between.
void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  static auto* const next = Next<void*(void*, size_t, int, int, int, off_t)>("mmap");
  const bool counts = (flags & MAP_ANONYMOUS) != 0;
  return counts && Fails(kMemory) ? MAP_FAILED : next(at, size, protection, flags, fd, offset);
}

}  // extern "C"
