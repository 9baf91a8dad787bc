// SPDX-License-Identifier: Apache-2.0
#include "console/prompt/keys.h"

#include <algorithm>

namespace kingpost {

namespace {

using Kind = Key::Kind;

struct Sequence {
  std::string_view bytes;  // after ESC
  Kind kind;
};
constexpr Sequence kSequences[] = {
    {"[A", Kind::kUp},      {"OA", Kind::kUp},        {"[B", Kind::kDown}, {"OB", Kind::kDown},
    {"[5~", Kind::kPageUp}, {"[6~", Kind::kPageDown}, {"[H", Kind::kHome}, {"OH", Kind::kHome},
    {"[1~", Kind::kHome},   {"[F", Kind::kEnd},       {"OF", Kind::kEnd},  {"[4~", Kind::kEnd},
};

// Length of "[ parameters letter" or "O letter" after ESC; 0 if it is not whole yet.
size_t SequenceLength(std::string_view rest) {
  if (rest.size() < 2) return 0;
  if (rest[0] == 'O') return 2;
  for (size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] >= 0x40 && rest[i] <= 0x7e) return i + 1;
  }
  return 0;
}

Kind KindOfControl(unsigned char c) {
  switch (c) {
    case '\r':
    case '\n':
      return Kind::kEnter;
    case 0x7f:
    case 0x08:
      return Kind::kBackspace;
    case 0x03:
      return Kind::kInterrupt;
    case 0x04:
      return Kind::kEndOfInput;
    case 0x10:  // Ctrl-P
      return Kind::kUp;
    case 0x0e:  // Ctrl-N
      return Kind::kDown;
    case 0x15:  // Ctrl-U
      return Kind::kClearLine;
    default:
      return Kind::kOther;
  }
}

size_t Utf8Length(unsigned char first) {
  if (first >= 0xF0) return 4;
  if (first >= 0xE0) return 3;
  return first >= 0xC0 ? 2 : 1;
}

bool TakeEscape(std::string* bytes, bool complete, Key* key) {
  const std::string_view rest = std::string_view(*bytes).substr(1);
  const bool starts_sequence = !rest.empty() && (rest[0] == '[' || rest[0] == 'O');
  if (rest.empty() || (starts_sequence && SequenceLength(rest) == 0)) {
    if (!complete) return false;
    *key = {Kind::kEscape, ""};
    bytes->erase(0, 1);
    return true;
  }
  if (!starts_sequence) {
    *key = {Kind::kEscape, ""};
    bytes->erase(0, 1);
    return true;
  }
  const std::string_view sequence = rest.substr(0, SequenceLength(rest));
  const auto found = std::find_if(std::begin(kSequences), std::end(kSequences),
                                  [&](const Sequence& known) { return known.bytes == sequence; });
  *key = {found == std::end(kSequences) ? Kind::kOther : found->kind, ""};
  bytes->erase(0, 1 + sequence.size());
  return true;
}

}  // namespace

bool TakeKey(std::string* bytes, bool complete, Key* key) {
  if (bytes->empty()) return false;
  const auto first = static_cast<unsigned char>((*bytes)[0]);
  if (first == 0x1b) return TakeEscape(bytes, complete, key);
  if (first < 0x20 || first == 0x7f) {
    *key = {KindOfControl(first), ""};
    bytes->erase(0, 1);
    return true;
  }
  const size_t length = Utf8Length(first);
  if (bytes->size() < length && !complete) return false;
  *key = {Kind::kText, bytes->substr(0, length)};
  bytes->erase(0, length);
  return true;
}

}  // namespace kingpost
