// SPDX-License-Identifier: Apache-2.0
#include "console/display/output.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace kingpost {

namespace {

std::mutex failure_mutex;
std::string first_failure;

bool IsReaderGone(int fd, int error) {
  const bool is_terminal_gone = error == EIO && ::isatty(fd) == 1;
  return error == EPIPE || error == EBADF || is_terminal_gone;
}

std::string NameOf(int fd) {
  if (fd == STDOUT_FILENO) return "standard output";
  std::array<char, 4096> path;
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t length = ::readlink(link.c_str(), path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<size_t>(length)) : "an output";
}

}  // namespace

Output::~Output() {
  if (owned_) ::close(fd_);
}

void Output::Write(std::string_view text) {
  if (sink_) return sink_(text);
  while (alive_ && !text.empty()) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      // The other end made the pipe non-blocking, as some parents do with the terminal they share.
      pollfd writable{fd_, POLLOUT, 0};
      ::poll(&writable, 1, 1000);
    } else if (errno != EINTR) {
      Fail(errno);
    }
  }
}

void Output::Fail(int error) {
  alive_ = false;
  if (fd_ == STDERR_FILENO || IsReaderGone(fd_, error)) return;
  const std::lock_guard<std::mutex> lock(failure_mutex);
  if (first_failure.empty()) first_failure = NameOf(fd_) + " could not be written: " + std::strerror(error);
}

std::string OutputFailure() {
  const std::lock_guard<std::mutex> lock(failure_mutex);
  return first_failure;
}

}  // namespace kingpost
