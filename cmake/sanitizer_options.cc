// SPDX-License-Identifier: Apache-2.0
// The options of the sanitizers in build/asan and build/tsan, as defaults of the programs themselves. In the
// environment they would be lost where a test starts the command with an environment of its own. Reports go to files,
// because tests swallow the command's stderr.
#include <unistd.h>

#include <cstdio>

#define KP_HOOK extern "C" __attribute__((visibility("default"), used))

#define KP_REPORTS "log_path='" KINGPOST_REPORTS "/report'"

// The shim of failing calls is preloaded, so that it stands before the runtime.
KP_HOOK const char* __asan_default_options() { return KP_REPORTS ":verify_asan_link_order=0"; }

// A stopped operation leaves its server (ServeMonitor) and the program's waiting calls (HoldIfStopped) as they are when
// the process ends. To free them would answer the program, which then would go on. What is reachable from either is no
// leak.
KP_HOOK const char* __lsan_default_suppressions() { return "leak:ServeMonitor\nleak:HoldIfStopped\n"; }

// It would leave a report of which of them it used.
KP_HOOK const char* __lsan_default_options() { return "print_suppressions=0"; }

KP_HOOK const char* __ubsan_default_options() { return "print_stacktrace=1"; }

// Some tests fork and go on in the child, and the command ends without waiting for its threads.
KP_HOOK const char* __tsan_default_options() {
  return KP_REPORTS
      ":die_after_fork=0:report_thread_leaks=0:ignore_noninstrumented_modules=1:"
      "suppressions='" KINGPOST_TSAN_SUPPRESSIONS "'";
}

#ifdef __SANITIZE_ADDRESS__
// Beside AddressSanitizer, GCC's UndefinedBehaviorSanitizer does not heed log_path: it writes to stderr alone and goes
// on. So each of its reports calls this, and leaves a file, too.
extern "C" void __ubsan_get_current_report_data(const char** kind, const char** message, const char** file,
                                                unsigned* line, unsigned* column, char** address);

KP_HOOK void __ubsan_on_report() {
  const char *kind = "", *message = "", *file = "";
  unsigned line = 0, column = 0;
  char* address = nullptr;
  __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  char path[4096];
  std::snprintf(path, sizeof path, "%s/undefined.%d", KINGPOST_REPORTS, getpid());
  if (std::FILE* out = std::fopen(path, "a")) {
    std::fprintf(out, "%s:%u:%u: %s: %s\n", file, line, column, kind, message);
    std::fclose(out);
  }
}
#endif
