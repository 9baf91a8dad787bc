// SPDX-License-Identifier: Apache-2.0
#include "console/prompt/raw_terminal.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace kingpost {

namespace {
constexpr int kSequenceMs = 50;     // between the bytes of one key
constexpr int kLookAroundMs = 250;  // for a new size
}  // namespace

RawTerminal::RawTerminal() {
  if (::tcgetattr(STDIN_FILENO, &former_) != 0) return;
  termios raw = former_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ok_ = ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

RawTerminal::~RawTerminal() {
  if (ok_) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &former_);
}

// False if nothing came in time.
bool RawTerminal::Fill(int timeout_ms) {
  pollfd readable{STDIN_FILENO, POLLIN, 0};
  if (::poll(&readable, 1, timeout_ms) <= 0) return false;
  char buffer[256];
  const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (got <= 0) {
    ended_ = true;
    return false;
  }
  bytes_.append(buffer, static_cast<size_t>(got));
  return true;
}

Key RawTerminal::Read() {
  Key key;
  if (TakeKey(&bytes_, false, &key)) return key;
  const bool in_sequence = !bytes_.empty();
  if (!Fill(in_sequence ? kSequenceMs : kLookAroundMs)) {
    if (ended_) return {Key::Kind::kEndOfInput, ""};
    if (!in_sequence || !TakeKey(&bytes_, true, &key)) return {Key::Kind::kOther, ""};
    return key;
  }
  if (TakeKey(&bytes_, false, &key)) return key;
  return {Key::Kind::kOther, ""};
}

}  // namespace kingpost
