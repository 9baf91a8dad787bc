// SPDX-License-Identifier: Apache-2.0
#include "runtimes/runtime.h"

#include <sys/wait.h>

#include <cstdlib>

#include "base/os.h"

namespace kingpost {

RunResponse FailedRun(std::string error) {
  RunResponse response;
  response.error = std::move(error);
  return response;
}

void AddFlag(const std::string& name, const std::string& value, std::vector<std::string>* argv) {
  if (value.empty()) return;
  argv->push_back("--" + name);
  argv->push_back(value);
}

std::map<std::string, std::string> ForProgram(std::map<std::string, std::string> additions) {
  for (const char* name : {"PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"}) {
    if (const auto value = FindEnvironment(name)) additions.emplace(name, *value);
  }
  return additions;
}

bool Killed(const ProcessExit& exit) { return exit.start_error == 0 && WIFSIGNALED(exit.wait_status); }

RunResponse ProgramEnd(const ProcessExit& exit, const std::string& start_problem) {
  RunResponse response;
  if (exit.ok()) return response;
  if (exit.start_error != 0) {
    response.error = start_problem + ": " + exit.Describe();
  } else if (exit.code() == kErrorAlreadyReported) {
    response.bail = true;
  } else if (Killed(exit)) {
    response.error = "program exited unexpectedly: " + exit.Describe();
  } else {
    response.error = "program exited with non-zero exit code: " + std::to_string(exit.code());
  }
  return response;
}

}  // namespace kingpost
