// SPDX-License-Identifier: Apache-2.0
// The snippets of the state, each a source of registrations beside the program (row 3.50). They run whenever the
// program does, and only if the state has some. Owns the end of all sources together. Engine thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/package_schemas.h"
#include "engine/registration_watch.h"
#include "engine/reporter.h"
#include "pcl/snippet.h"

namespace kingpost::engine {

class Snippets {
 public:
  Snippets(Loop& loop, const Operation& operation, Reporter& report)
      : operation_(operation), report_(report), watch_(loop), schemas_(loop, *operation.host), running_(loop) {}

  // What the state holds; before Start.
  Status Read();
  // Where registrations are to be published; null if nobody waits for any.
  RegistrationWatch* watch() { return snippets_.empty() ? nullptr : &watch_; }

  // The program is about to run; so do they.
  void Start(Monitor& monitor);
  // No more registrations come from the program.
  void ProgramEnded();
  // The run was stopped: those that wait end, and say nothing.
  void Stop();
  // Called once, when neither the program nor a snippet has more to register.
  std::function<void()> on_all_ended;
  // Resumes when none is running.
  Task<void> Finished();
  // True if one failed; it has been reported.
  bool failed() const { return failed_; }

 private:
  Task<void> RunOne(Monitor* monitor, RegistrationWatch::Source source, pcl::Snippet snippet);
  void EndSource(RegistrationWatch::Source source);

  const Operation& operation_;
  Reporter& report_;
  RegistrationWatch watch_;
  PackageSchemas schemas_;
  Group running_;
  std::vector<pcl::Snippet> snippets_;
  RegistrationWatch::Source program_ = 0;
  int sources_ = 0;  // that have not ended
  bool program_ended_ = false;
  bool failed_ = false;
};

}  // namespace kingpost::engine
