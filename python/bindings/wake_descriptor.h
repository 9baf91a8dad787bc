// SPDX-License-Identifier: Apache-2.0
// A descriptor that is readable once there is news. A waiting thread needs none of our locks, nor do we need the GIL
// to wake it.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace kingpost::python {

class WakeDescriptor {
 public:
  WakeDescriptor() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "cannot wait for an operation");
  }
  ~WakeDescriptor() { close(descriptor_); }
  WakeDescriptor(const WakeDescriptor&) = delete;

  int get() const { return descriptor_; }
  void Wake() { eventfd_write(descriptor_, 1); }
  void Rest() {
    eventfd_t times = 0;
    eventfd_read(descriptor_, &times);
  }

 private:
  const int descriptor_;
};

}  // namespace kingpost::python
