// SPDX-License-Identifier: Apache-2.0
#include "runtimes/go_command.h"

#include <sstream>

#include "base/os.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

Result<std::string> FindGo() {
  std::string go = FindOnPath("go");
  if (!go.empty()) return go;
  return Status(Code::kNotFound, "unable to find 'go' executable: install Go and put it on PATH");
}

std::string FindInstalledByGo(const std::string& name) {
  const std::string gopath = GetEnvironment("GOPATH");
  std::istringstream folders(gopath.empty() ? GetEnvironment("HOME") + "/go" : gopath);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string installed = folder + "/bin/" + name;
    if (!folder.empty() && IsExecutableFile(installed)) return installed;
  }
  return "";
}

std::vector<std::string> GoBuildCommand(const std::string& go, const std::string& target, GoBuild build) {
  std::vector<std::string> command = {go, "build", "-buildvcs=false", "-o", target};
  if (build == GoBuild::kForDebugger) {
    command.insert(command.end(), {"-gcflags", "all=-N -l"});
  } else {
    if (build == GoBuild::kDefault) command.push_back("-trimpath");
    command.insert(command.end(), {"-ldflags", "-w -s"});
  }
  return command;
}

Status CheckGoProgram(const std::string& target) {
  if (IsExecutableFile(target)) return Status::Ok();
  return Status(Code::kInvalidArgument,
                "error in compiling Go: go program is not executable, does your program have a 'main' package?");
}

}  // namespace kingpost
