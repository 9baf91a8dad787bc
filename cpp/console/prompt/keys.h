// SPDX-License-Identifier: Apache-2.0
// Keys that a person types: letters, arrows and the rest, from the bytes that terminals send. Pure.
#pragma once

#include <string>
#include <string_view>

namespace kingpost {

struct Key {
  enum class Kind {
    kText,  // `text` is one character
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kHome,
    kEnd,
    kEnter,
    kBackspace,
    kClearLine,
    kEscape,
    kInterrupt,
    kEndOfInput,
    kOther  // understood and of no use
  };
  Kind kind = Kind::kOther;
  std::string text;
};

// Takes the first key off the bytes. False if more bytes are needed to tell which it is; `complete` says that none will
// come, so that a lone ESC is the key Escape.
bool TakeKey(std::string* bytes, bool complete, Key* key);

}  // namespace kingpost
