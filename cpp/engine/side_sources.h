// SPDX-License-Identifier: Apache-2.0
// Sources of registrations beside the program (row 3.50). It runs whenever the program does, and only if the state
// holds some. Owns the end of all sources together. Engine thread.
#pragma once

#include <functional>

#include "engine/published_resources.h"
#include "engine/reporter.h"
#include "kingpost/registration_source.h"

namespace kingpost::engine {

class SideSources {
 public:
  SideSources(Loop& loop, const Operation& operation, Reporter& report)
      : loop_(loop), operation_(operation), report_(report), published_(loop), running_(loop) {}

  // The resources of the state; before Start.
  Status Find();
  // Where registrations are to be published; null if nobody waits for any.
  PublishedResources* published() { return sources_.empty() ? nullptr : &published_; }

  // The program is about to run; so do they.
  void Start(Monitor& monitor);
  // No more registrations come from the program.
  void ProgramEnded();
  // The run was stopped: those that wait end, and say nothing.
  void Stop();
  // Called once, when neither the program nor a source beside it has more to register.
  std::function<void()> on_all_ended;
  // Resumes when none is running.
  Task<void> Finished() { co_await running_.Wait(); }
  // The failure of the first source that failed; it has been reported.
  const Status& failure() const { return failure_; }
  bool failed() const { return !failure_.ok(); }

 private:
  Task<void> RunOne(Monitor* monitor, PublishedResources::Source number, RegistrationSource* source);
  void EndSource(PublishedResources::Source number);

  Loop& loop_;
  const Operation& operation_;
  Reporter& report_;
  PublishedResources published_;
  Group running_;
  RegistrationSources sources_;
  PublishedResources::Source program_ = 0;
  int not_ended_ = 0;
  bool program_ended_ = false;
  Status failure_;
};

}  // namespace kingpost::engine
