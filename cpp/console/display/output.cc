// SPDX-License-Identifier: Apache-2.0
#include "console/display/output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace kingpost {

Output::~Output() {
  if (owned_) ::close(fd_);
}

void Output::Write(std::string_view text) {
  while (alive_ && !text.empty()) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      // The other end made the pipe non-blocking, as some parents do with the terminal they share.
      pollfd writable{fd_, POLLOUT, 0};
      ::poll(&writable, 1, 1000);
    } else if (errno != EINTR) {
      alive_ = false;
    }
  }
}

}  // namespace kingpost
