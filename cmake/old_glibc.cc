// SPDX-License-Identifier: Apache-2.0
// Lets a command that was linked on Debian 12 start where glibc is as old as 2.31 (Debian 11, Ubuntu 20.04). Linked
// into commands with static libraries, and only on x86-64.
//
// A symbol is bound to the version that it has in the glibc of the machine that links. Few of those which we use are
// newer than 2.31, for three reasons, and each has its answer here:
//
//     pthread_create@GLIBC_2.34      moved from libpthread or libdl into libc: it also answers to its old version
//     __libc_start_main@GLIBC_2.34   no longer wants to be told who runs the constructors: tell it
//     stat, arc4random, ...          new as a function: written in terms of older ones
//
// All definitions are hidden, so that libraries loaded later (libcurl) keep those of the system.
#include <features.h>

#if defined(__x86_64__) && defined(__GLIBC__)

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KP_HIDDEN extern "C" __attribute__((visibility("hidden"), used))

// name: jumps to name@GLIBC_version.
#define KP_OLD(name, version)                                                   \
  asm(".symver kp_old_" #name ", " #name "@GLIBC_" version                      \
      "\n"                                                                      \
      ".pushsection .text\n"                                                    \
      ".globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name \
      ":\n"                                                                     \
      "  jmp *kp_old_" #name "@GOTPCREL(%rip)\n.size " #name ", . - " #name     \
      "\n"                                                                      \
      ".popsection")

KP_OLD(__pthread_key_create, "2.2.5");
KP_OLD(pthread_attr_getstacksize, "2.2.5");
KP_OLD(pthread_attr_setstacksize, "2.2.5");
KP_OLD(pthread_cond_clockwait, "2.30");
KP_OLD(pthread_create, "2.2.5");
KP_OLD(pthread_detach, "2.2.5");
KP_OLD(pthread_getattr_default_np, "2.18");
KP_OLD(pthread_getname_np, "2.12");
KP_OLD(pthread_getspecific, "2.2.5");
KP_OLD(pthread_join, "2.2.5");
KP_OLD(pthread_key_create, "2.2.5");
KP_OLD(pthread_key_delete, "2.2.5");
KP_OLD(pthread_mutex_trylock, "2.2.5");
KP_OLD(pthread_mutexattr_destroy, "2.2.5");
KP_OLD(pthread_mutexattr_init, "2.2.5");
KP_OLD(pthread_mutexattr_settype, "2.2.5");
KP_OLD(pthread_once, "2.2.5");
KP_OLD(pthread_rwlock_destroy, "2.2.5");
KP_OLD(pthread_rwlock_init, "2.2.5");
KP_OLD(pthread_rwlock_rdlock, "2.2.5");
KP_OLD(pthread_rwlock_unlock, "2.2.5");
KP_OLD(pthread_rwlock_wrlock, "2.2.5");
KP_OLD(pthread_setattr_default_np, "2.18");
KP_OLD(pthread_setname_np, "2.12");
KP_OLD(pthread_setspecific, "2.2.5");
KP_OLD(pthread_sigmask, "2.2.5");
KP_OLD(dladdr, "2.2.5");
KP_OLD(dlclose, "2.2.5");
KP_OLD(dlerror, "2.2.5");
KP_OLD(dlopen, "2.2.5");
KP_OLD(dlsym, "2.2.5");

// --- the start ----------------------------------------------------------------------------------

using Main = int (*)(int, char**, char**);
using Initializer = void (*)(int, char**, char**);

extern "C" {
int kp_old_start(Main main, int argc, char** argv, Initializer init, void (*fini)(), void (*rtld_fini)(),
                 void* stack_end);
asm(".symver kp_old_start, __libc_start_main@GLIBC_2.2.5");
void _init();
extern const Initializer __init_array_start[] __attribute__((visibility("hidden")));
extern const Initializer __init_array_end[] __attribute__((visibility("hidden")));
}

static void RunConstructors(int argc, char** argv, char** environment) {
  _init();
  for (const Initializer* each = __init_array_start; each != __init_array_end; ++each) (*each)(argc, argv, environment);
}

KP_HIDDEN int __libc_start_main(Main main, int argc, char** argv, Initializer, void (*fini)(), void (*rtld_fini)(),
                                void* stack_end) {
  return kp_old_start(main, argc, argv, RunConstructors, fini, rtld_fini, stack_end);
}

// --- files --------------------------------------------------------------------------------------

// The kernel's record is the one that programs see, on x86-64.
KP_HIDDEN int stat(const char* path, struct stat* found) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, AT_FDCWD, path, found, 0));
}
KP_HIDDEN int lstat(const char* path, struct stat* found) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW));
}
KP_HIDDEN int fstat(int file, struct stat* found) noexcept { return static_cast<int>(syscall(SYS_fstat, file, found)); }
KP_HIDDEN int fstat64(int file, struct stat64* found) noexcept {
  return static_cast<int>(syscall(SYS_fstat, file, found));
}

// --- what libstdc++ and libgcc ask for ----------------------------------------------------------

// False is always safe: the command has threads from its start.
extern "C" {
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
}

KP_HIDDEN void arc4random_buf(void* room, size_t size) noexcept {
  constexpr size_t kWhole = 256;  // so few bytes come at once, whatever signals arrive
  for (auto* at = static_cast<char*>(room); size > 0;) {
    const size_t part = size < kWhole ? size : kWhole;
    if (getrandom(at, part, 0) != static_cast<ssize_t>(part)) abort();
    at += part;
    size -= part;
  }
}
KP_HIDDEN uint32_t arc4random() noexcept {
  uint32_t value;
  arc4random_buf(&value, sizeof value);
  return value;
}

// Where the unwinder finds the tables of the object that holds an address.
static int FindObject(dl_phdr_info* object, size_t, void* result) {
  auto* wanted = static_cast<dl_find_object*>(result);
  const auto address = reinterpret_cast<uintptr_t>(wanted->dlfo_map_start);
  void* tables = nullptr;
  bool is_it = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    const uintptr_t start = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_GNU_EH_FRAME) tables = reinterpret_cast<void*>(start);
    if (segment.p_type == PT_LOAD && address >= start && address - start < segment.p_memsz) is_it = true;
  }
  if (!is_it) return 0;
  wanted->dlfo_eh_frame = tables;
  return 1;
}

KP_HIDDEN int _dl_find_object(void* address, dl_find_object* result) noexcept {
  result->dlfo_map_start = address;
  return dl_iterate_phdr(FindObject, result) == 1 && result->dlfo_eh_frame ? 0 : -1;
}

#endif
