// SPDX-License-Identifier: Apache-2.0
// System calls of this program on their way to the C library (the linker's --wrap): those that concern files below
// SimDisk::kRoot go to the simulated disk, all others pass.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <set>

#include "simulation/sim_disk.h"

using kingpost::simulation::SimDisk;

namespace {

// The journal's thread and the engine's take turns; the mutex is for the tools that cannot know.
std::recursive_mutex& Turn() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

bool Ours(const char* path) {
  return SimDisk::active && path && std::strncmp(path, SimDisk::kRoot, sizeof SimDisk::kRoot - 1) == 0;
}
bool Ours(int fd) { return SimDisk::active && SimDisk::IsOurs(fd); }

struct Listing {
  std::vector<std::string> names;
  size_t next = 0;
  dirent entry{};
};

std::set<void*>& Listings() {
  static auto* listings = new std::set<void*>;
  return *listings;
}

bool IsListing(DIR* directory) {
  const std::lock_guard<std::recursive_mutex> turn(Turn());
  return Listings().count(directory) > 0;
}

template <class F>
auto OnDisk(const F& call) {
  const std::lock_guard<std::recursive_mutex> turn(Turn());
  return call(*SimDisk::active);
}

}  // namespace

kingpost::simulation::GiveTurn::GiveTurn() { Turn().unlock(); }
kingpost::simulation::GiveTurn::~GiveTurn() { Turn().lock(); }

extern "C" {

int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, ...) {
  if (Ours(path)) return OnDisk([&](SimDisk& disk) { return disk.Open(path, flags); });
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return __real_open(path, flags, mode);
}

int __real_close(int fd);
int __wrap_close(int fd) {
  return Ours(fd) ? OnDisk([&](SimDisk& disk) { return disk.Close(fd); }) : __real_close(fd);
}

ssize_t __real_read(int fd, void* to, size_t size);
ssize_t __wrap_read(int fd, void* to, size_t size) {
  if (!Ours(fd)) return __real_read(fd, to, size);
  return OnDisk([&](SimDisk& disk) { return disk.Read(fd, static_cast<char*>(to), size, -1); });
}

ssize_t __real_pread(int fd, void* to, size_t size, off_t offset);
ssize_t __wrap_pread(int fd, void* to, size_t size, off_t offset) {
  if (!Ours(fd)) return __real_pread(fd, to, size, offset);
  return OnDisk([&](SimDisk& disk) { return disk.Read(fd, static_cast<char*>(to), size, offset); });
}

ssize_t __real_write(int fd, const void* from, size_t size);
ssize_t __wrap_write(int fd, const void* from, size_t size) {
  if (!Ours(fd)) return __real_write(fd, from, size);
  return OnDisk([&](SimDisk& disk) { return disk.Write(fd, {static_cast<const char*>(from), size}, -1); });
}

ssize_t __real_pwrite(int fd, const void* from, size_t size, off_t offset);
ssize_t __wrap_pwrite(int fd, const void* from, size_t size, off_t offset) {
  if (!Ours(fd)) return __real_pwrite(fd, from, size, offset);
  return OnDisk([&](SimDisk& disk) { return disk.Write(fd, {static_cast<const char*>(from), size}, offset); });
}

int __real_fsync(int fd);
int __wrap_fsync(int fd) {
  return Ours(fd) ? OnDisk([&](SimDisk& disk) { return disk.Sync(fd); }) : __real_fsync(fd);
}

int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd) {
  return Ours(fd) ? OnDisk([&](SimDisk& disk) { return disk.Sync(fd); }) : __real_fdatasync(fd);
}

int __real_fallocate(int fd, int mode, off_t offset, off_t size);
int __wrap_fallocate(int fd, int mode, off_t offset, off_t size) {
  if (!Ours(fd)) return __real_fallocate(fd, mode, offset, size);
  return OnDisk([&](SimDisk& disk) { return disk.Reserve(fd, static_cast<uint64_t>(offset + size)); });
}

int __real_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size) {
  if (!Ours(fd)) return __real_ftruncate(fd, size);
  return OnDisk([&](SimDisk& disk) { return disk.Cut(fd, static_cast<uint64_t>(size)); });
}

off_t __real_lseek(int fd, off_t offset, int whence);
off_t __wrap_lseek(int fd, off_t offset, int whence) {
  if (!Ours(fd)) return __real_lseek(fd, offset, whence);
  return OnDisk([&](SimDisk& disk) { return disk.SeekEnd(fd); });
}

int __real_rename(const char* from, const char* to);
int __wrap_rename(const char* from, const char* to) {
  if (!Ours(from)) return __real_rename(from, to);
  return OnDisk([&](SimDisk& disk) { return disk.Rename(from, to); });
}

int __real_link(const char* from, const char* to);
int __wrap_link(const char* from, const char* to) {
  if (!Ours(from)) return __real_link(from, to);
  return OnDisk([&](SimDisk& disk) { return disk.Link(from, to); });
}

int __real_unlink(const char* path);
int __wrap_unlink(const char* path) {
  return Ours(path) ? OnDisk([&](SimDisk& disk) { return disk.Unlink(path); }) : __real_unlink(path);
}

int __real_mkdir(const char* path, mode_t mode);
int __wrap_mkdir(const char* path, mode_t mode) {
  return Ours(path) ? OnDisk([&](SimDisk& disk) { return disk.MakeFolder(path); }) : __real_mkdir(path, mode);
}

int __real_stat(const char* path, struct stat* out);
int __wrap_stat(const char* path, struct stat* out) {
  return Ours(path) ? OnDisk([&](SimDisk& disk) { return disk.Stat(path, out); }) : __real_stat(path, out);
}

int __real_lstat(const char* path, struct stat* out);
int __wrap_lstat(const char* path, struct stat* out) {
  return Ours(path) ? OnDisk([&](SimDisk& disk) { return disk.Stat(path, out); }) : __real_lstat(path, out);
}

int __real_fstat(int fd, struct stat* out);
int __wrap_fstat(int fd, struct stat* out) {
  return Ours(fd) ? OnDisk([&](SimDisk& disk) { return disk.StatOpen(fd, out); }) : __real_fstat(fd, out);
}

int __real_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode) { return Ours(fd) ? 0 : __real_fchmod(fd, mode); }

int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation) { return Ours(fd) ? 0 : __real_flock(fd, operation); }

// There are no symbolic links on the simulated disk.
char* __real_realpath(const char* path, char* resolved);
char* __wrap_realpath(const char* path, char* resolved) {
  if (!Ours(path)) return __real_realpath(path, resolved);
  struct stat ignored;
  if (!resolved || OnDisk([&](SimDisk& disk) { return disk.Stat(path, &ignored); }) != 0) return nullptr;
  return std::strcpy(resolved, path);
}

ssize_t __real_readlink(const char* path, char* to, size_t size);
ssize_t __wrap_readlink(const char* path, char* to, size_t size) {
  if (!Ours(path)) return __real_readlink(path, to, size);
  errno = EINVAL;
  return -1;
}

DIR* __real_opendir(const char* path);
DIR* __wrap_opendir(const char* path) {
  if (!Ours(path)) return __real_opendir(path);
  auto listing = std::make_unique<Listing>();
  if (!OnDisk([&](SimDisk& disk) { return disk.Names(path, &listing->names); })) {
    errno = ENOENT;
    return nullptr;
  }
  const std::lock_guard<std::recursive_mutex> turn(Turn());
  Listings().insert(listing.get());
  return reinterpret_cast<DIR*>(listing.release());
}

dirent* __real_readdir(DIR* directory);
dirent* __wrap_readdir(DIR* directory) {
  if (!IsListing(directory)) return __real_readdir(directory);
  auto* listing = reinterpret_cast<Listing*>(directory);
  if (listing->next == listing->names.size()) return nullptr;
  std::strncpy(listing->entry.d_name, listing->names[listing->next++].c_str(), sizeof listing->entry.d_name - 1);
  return &listing->entry;
}

int __real_closedir(DIR* directory);
int __wrap_closedir(DIR* directory) {
  if (!IsListing(directory)) return __real_closedir(directory);
  const std::lock_guard<std::recursive_mutex> turn(Turn());
  Listings().erase(directory);
  delete reinterpret_cast<Listing*>(directory);
  return 0;
}

}  // extern "C"
