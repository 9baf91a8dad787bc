// SPDX-License-Identifier: Apache-2.0
// For operations on many stacks in one process: an interpreter imports the SDK once and forks for each program, so that
// no program but the first waits for imports. Programs share it that would start the same interpreter in the same
// environment. Python only (runtimes/standby_program.h).
//
// Any thread.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "runtimes/standby_program.h"

namespace kingpost {

class ProgramForks {
 public:
  explicit ProgramForks(std::shared_ptr<ProcessSupervisor> supervisor) : supervisor_(std::move(supervisor)) {}

  // For one run. Null where there is nothing to fork, for whatever reason: the ordinary start tells what is wrong. The
  // first program of an interpreter gets none, because there may be no second.
  std::shared_ptr<StandbyProgram> Begin(const Project& project);

 private:
  struct Interpreter {
    std::string key;  // the interpreter and its environment
    std::shared_ptr<const StandbyProgram> program;
  };
  std::shared_ptr<const StandbyProgram> Find(StandbySpec spec);

  const std::shared_ptr<ProcessSupervisor> supervisor_;
  std::mutex mutex_;
  std::optional<Accelerators> accelerators_;  // once they are unpacked
  std::set<std::string> seen_;                // the keys that were asked for
  std::set<std::string> renewed_;             // those whose first server has ended
  std::deque<Interpreter> interpreters_;      // the last used first
};

}  // namespace kingpost
