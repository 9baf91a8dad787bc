// The flags that every command has.
#pragma once

#include <string>

#include "cli/flags.h"

namespace kingpost {

struct GlobalOptions {
  std::string cwd;
  std::string color = "auto";
  bool non_interactive = false;
  bool disable_integrity_checking = false;
  bool fully_qualify_stack_names = false;
  bool help = false;

  void Declare(Flags* flags);
};

}  // namespace kingpost
