// SPDX-License-Identifier: Apache-2.0
// A fault of a schema, and its place. Any thread.
#pragma once

#include <string>
#include <vector>

namespace kingpost::schema {

struct Diagnostic {
  bool error = true;  // else a warning
  std::string text;   // "#/resources/a:b:C: ..."
  std::string detail;
};
using Diagnostics = std::vector<Diagnostic>;

inline bool HasErrors(const Diagnostics& diagnostics) {
  for (const Diagnostic& one : diagnostics) {
    if (one.error) return true;
  }
  return false;
}

}  // namespace kingpost::schema
