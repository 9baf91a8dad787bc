// SPDX-License-Identifier: Apache-2.0
// Parses messages for fuzzers, as the servers and clients of wire/ do.
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
