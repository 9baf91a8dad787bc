// SPDX-License-Identifier: Apache-2.0
// The flags that every command has.
#pragma once

#include <string>
#include <vector>

#include "cli/session/flags.h"

namespace kingpost {

// The values of --color.
inline const std::vector<std::string> kColorWords = {"auto", "always", "never", "raw"};

inline constexpr char kGlobalFlags[] = "Global flags";

struct GlobalOptions {
  std::string cwd;
  std::string color = "auto";
  bool non_interactive = false;
  bool disable_integrity_checking = false;
  bool fully_qualify_stack_names = false;
  bool help = false;
  int verbose = 0;
  bool log_to_standard_error = false, log_flow = false;
  std::string tracing, otel_traces, profiling;

  void Declare(Flags* flags);
};

}  // namespace kingpost
