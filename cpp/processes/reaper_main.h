// SPDX-License-Identifier: Apache-2.0
// The code of the reaper (processes/process_reaper.h), and the messages between it and the process that started it.
//
// The reaper is a fork of a process whose other threads may hold any lock: that of an allocator, of the loader, of an
// unknown library. None of them will ever be given back in it. So nothing in reaper_main.cc allocates or waits for a
// lock: it makes system calls, and keeps its data in pages of its own (processes/mapped_array.h). The test
// tests/cpp/processes/reaper_test.cc checks which symbols the compiled file needs.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace kingpost {

// Fixed-size records in packets. A spawn brings four files: the payload (in memory), stdin, stdout and stderr; a folder
// brings its path as the payload, in the place of all four. A process is adopted that has become the reaper's child
// because its parent ended.
struct ReaperRequest {
  enum Kind : uint32_t { kSpawn, kAdopt, kSignal, kFolder, kShutdown } kind;
  uint32_t id;
  int32_t value;  // the signal, or the process ID of the adopted
};
struct ReaperReply {
  enum Kind : uint32_t { kFailedToStart, kExited } kind;
  uint32_t id;
  int32_t value;  // errno, or the wait status
};

// Payloads are texts, each with a zero at its end. The fields of a spawn: the working directory, or nothing; the
// number of arguments; the arguments; the whole environment. The first argument is looked up on PATH unless it has a
// slash.

// A fork that calls none of the functions that libraries have registered for forks (pthread_atfork). Those start
// threads again, or take the lock of an interpreter, for a child that continues its parent's work.
pid_t ForkWithoutHandlers();

// The reaper, at the other end of `socket`, until that says farewell or is gone.
[[noreturn]] void ReaperMain(int socket);

}  // namespace kingpost
