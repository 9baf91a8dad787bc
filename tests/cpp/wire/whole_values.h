// SPDX-License-Identifier: Apache-2.0
// The options that keep every part of a value on the wire.
#pragma once

#include "wire/convert.h"

namespace kingpost::testing {

inline WireOptions WholeValues() {
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = options.keep_resources = options.keep_outputs = true;
  options.keep_byte_strings = true;
  return options;
}

}  // namespace kingpost::testing
