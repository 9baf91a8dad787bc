// SPDX-License-Identifier: Apache-2.0
// How long the texts may be that everything else refers to: IDs, names, types. They stand in every reference, message
// and line of a display, so that one of a hundred megabytes costs minutes and gigabytes wherever it goes. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost::wire {

inline constexpr size_t kNameBytesMax = 1 << 20;

// Fails if `text` is longer; `what` says what it is, and of what.
inline Status CheckLength(std::string_view what, const std::string& text) {
  if (text.size() <= kNameBytesMax) return Status::Ok();
  return Status(Code::kInvalidArgument, std::string(what) + " has " + std::to_string(text.size()) +
                                            " bytes (it begins \"" + text.substr(0, 60) + "\"); it may have " +
                                            std::to_string(kNameBytesMax));
}

}  // namespace kingpost::wire
