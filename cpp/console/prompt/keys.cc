// SPDX-License-Identifier: Apache-2.0
#include "console/prompt/keys.h"

#include <algorithm>

namespace kingpost {

namespace {

using KeyKind = Key::Kind;

struct Sequence {
  std::string_view bytes;  // after ESC
  KeyKind kind;
};
constexpr Sequence kSequences[] = {
    {"[A", KeyKind::kUp},      {"OA", KeyKind::kUp},        {"[B", KeyKind::kDown}, {"OB", KeyKind::kDown},
    {"[5~", KeyKind::kPageUp}, {"[6~", KeyKind::kPageDown}, {"[H", KeyKind::kHome}, {"OH", KeyKind::kHome},
    {"[1~", KeyKind::kHome},   {"[F", KeyKind::kEnd},       {"OF", KeyKind::kEnd},  {"[4~", KeyKind::kEnd},
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

KeyKind KindOfControl(unsigned char c) {
  switch (c) {
    case '\r':
    case '\n':
      return KeyKind::kEnter;
    case 0x7f:
    case 0x08:
      return KeyKind::kBackspace;
    case 0x03:
      return KeyKind::kInterrupt;
    case 0x04:
      return KeyKind::kEndOfInput;
    case 0x10:  // Ctrl-P
      return KeyKind::kUp;
    case 0x0e:  // Ctrl-N
      return KeyKind::kDown;
    case 0x15:  // Ctrl-U
      return KeyKind::kClearLine;
    default:
      return KeyKind::kOther;
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
    *key = {KeyKind::kEscape, ""};
    bytes->erase(0, 1);
    return true;
  }
  if (!starts_sequence) {
    *key = {KeyKind::kEscape, ""};
    bytes->erase(0, 1);
    return true;
  }
  const std::string_view sequence = rest.substr(0, SequenceLength(rest));
  const auto found = std::find_if(std::begin(kSequences), std::end(kSequences),
                                  [&](const Sequence& known) { return known.bytes == sequence; });
  *key = {found == std::end(kSequences) ? KeyKind::kOther : found->kind, ""};
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
  *key = {KeyKind::kText, bytes->substr(0, length)};
  bytes->erase(0, length);
  return true;
}

}  // namespace kingpost
