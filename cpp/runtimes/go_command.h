// SPDX-License-Identifier: Apache-2.0
// Calls of the Go toolchain, for programs and plugins alike: finding its tools, and building a program.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

Result<std::string> FindGo();
// Finds a tool that `go install` has built, which need not be on PATH: in the folder `bin` of $GOPATH, or of ~/go. ""
// where there is none.
std::string FindInstalledByGo(const std::string& name);

// A program keeps the paths of its sources: the stack traces of its resources are made of them. One for a debugger also
// keeps what the compiler would leave out or put elsewhere.
enum class GoBuild { kDefault, kProgram, kForDebugger };
// The command that leaves the program of the working directory at `target`.
std::vector<std::string> GoBuildCommand(const std::string& go, const std::string& target, GoBuild build);
// Fails if that command left no program at `target`: a package that is not `main` builds well.
Status CheckGoProgram(const std::string& target);

}  // namespace kingpost
