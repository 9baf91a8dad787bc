// SPDX-License-Identifier: Apache-2.0
#include "runtimes/program_forks.h"

#include <algorithm>

#include "processes/process_reaper.h"

namespace kingpost {

namespace {

constexpr size_t kInterpretersMax = 4;  // that wait at a time, with some 50 MiB each

// The interpreter and its environment.
std::string KeyOf(const ProcessSpec& process) { return EncodeSpawn(process); }

}  // namespace

std::shared_ptr<StandbyProgram> ProgramForks::Begin(const Project& project) {
  const std::lock_guard lock(mutex_);
  if (!unpacked_ && WantsAccelerators()) accelerators_ = UnpackAccelerators(supervisor_.get());
  unpacked_ = true;
  std::optional<StandbySpec> spec = BeginForks(project, accelerators_);
  if (!spec) return nullptr;
  const std::shared_ptr<const StandbyProgram> found = Find(std::move(*spec));
  return found ? std::make_shared<StandbyProgram>(*found) : nullptr;
}

std::shared_ptr<const StandbyProgram> ProgramForks::Find(StandbySpec spec) {
  const std::string key = KeyOf(spec.process);
  if (seen_.insert(key).second) return nullptr;
  const auto has_key = [&key](const auto& one) { return KeyOf(one->spec.process) == key; };
  const auto found = std::find_if(interpreters_.begin(), interpreters_.end(), has_key);
  std::shared_ptr<const StandbyProgram> interpreter;
  if (found != interpreters_.end()) {
    interpreter = *found;
    interpreters_.erase(found);
  } else {
    interpreter = StartForks(supervisor_, std::move(spec), accelerators_);
    if (!interpreter) return nullptr;
  }
  interpreters_.push_front(interpreter);
  if (interpreters_.size() > kInterpretersMax) interpreters_.pop_back();
  return interpreter;
}

}  // namespace kingpost
