// SPDX-License-Identifier: Apache-2.0
#include "simulation/boot_clock.h"

#include <time.h>

#include <mutex>
#include <utility>

namespace {

std::mutex clock_mutex;
std::function<double()>& Clock() {
  static auto* clock = new std::function<double()>;
  return *clock;
}

}  // namespace

void kingpost::simulation::SetBootClock(std::function<double()> seconds) {
  const std::lock_guard<std::mutex> lock(clock_mutex);
  Clock() = std::move(seconds);
}

// On its way to the C library, as the linker leads it here (--wrap).
extern "C" {

int __real_clock_gettime(clockid_t clock, timespec* now);

int __wrap_clock_gettime(clockid_t clock, timespec* now) {
  if (clock == CLOCK_BOOTTIME) {
    const std::lock_guard<std::mutex> lock(clock_mutex);
    if (Clock()) {
      const double seconds = Clock()();
      now->tv_sec = static_cast<time_t>(seconds);
      now->tv_nsec = static_cast<long>((seconds - static_cast<double>(now->tv_sec)) * 1e9);
      return 0;
    }
  }
  return __real_clock_gettime(clock, now);
}
}
