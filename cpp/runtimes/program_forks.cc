// SPDX-License-Identifier: Apache-2.0
#include "runtimes/program_forks.h"

#include <algorithm>

#include "processes/process_reaper.h"

namespace kingpost {

namespace {

constexpr size_t kInterpretersMax = 4;  // that wait at a time, with some 50 MiB each

}  // namespace

std::shared_ptr<StandbyProgram> ProgramForks::Begin(const Project& project) {
  const std::lock_guard lock(mutex_);
  if (!accelerators_) accelerators_ = WantsAccelerators() ? UnpackAccelerators(supervisor_.get()) : Accelerators();
  std::optional<StandbySpec> spec = BeginForks(project, *accelerators_);
  if (!spec) return nullptr;
  const std::shared_ptr<const StandbyProgram> found = Find(std::move(*spec));
  return found ? std::make_shared<StandbyProgram>(*found) : nullptr;
}

std::shared_ptr<const StandbyProgram> ProgramForks::Find(StandbySpec spec) {
  Interpreter interpreter{EncodeSpawn(spec.process), nullptr};
  if (seen_.insert(interpreter.key).second) return nullptr;
  const auto found = std::find_if(interpreters_.begin(), interpreters_.end(),
                                  [&](const Interpreter& one) { return one.key == interpreter.key; });
  if (found != interpreters_.end()) {
    interpreter = std::move(*found);
    interpreters_.erase(found);
  }
  // One that was killed is renewed once: the next would end as well if it is the interpreter that cannot fork.
  const bool has_ended = interpreter.program && !interpreter.program->waits();
  if (has_ended && renewed_.insert(interpreter.key).second) interpreter.program = nullptr;
  if (!interpreter.program) {
    interpreter.program = StartForks(supervisor_, std::move(spec), *accelerators_);
    if (!interpreter.program) return nullptr;
  }
  interpreters_.push_front(interpreter);
  if (interpreters_.size() > kInterpretersMax) interpreters_.pop_back();
  return interpreter.program;
}

}  // namespace kingpost
