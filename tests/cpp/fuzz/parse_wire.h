// SPDX-License-Identifier: Apache-2.0
// For fuzzers of messages: read as our servers and clients read them.
#pragma once

#include "wire/wire.h"

#include <string>
#include <string_view>

namespace kingpost::fuzz {

template <class Wire>
bool Parse(std::string_view bytes, Wire* wire) {
  if (!wire::ParseDeep(std::string(bytes), wire)) wire::MarkMalformed(wire);
  return wire::Check(*wire).ok();
}

}  // namespace kingpost::fuzz
