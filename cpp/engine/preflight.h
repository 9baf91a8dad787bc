// SPDX-License-Identifier: Apache-2.0
// Checks before an operation does anything, and their warnings (rows 3.32, 5.8, 6.3, 6.6). Engine thread.
#pragma once

#include "engine/reporter.h"
#include "engine/run.h"
#include "kingpost/plugin_host.h"

namespace kingpost::engine {

class Preflight {
 public:
  Preflight(const Operation& operation, const Run& run, Reporter& report)
      : operation_(operation), options_(operation.options), run_(run), report_(report) {}

  // Destroy and refresh: every literal target and exclude is recorded. The first one that is not.
  Status CheckTargetsRecorded() const;
  // Every literal is recorded or, if `registered_too`, registered by this run. All that are not are reported.
  Status CheckLiterals(decisions::Selection::Given given, bool registered_too) const;
  // A destroy without the program cannot run delete hooks.
  Status CheckNoDeleteHooks() const;
  void WarnOfPendingOperations() const;
  // A refresh or destroy without the program uses the plugins that are recorded, whatever the program has since.
  void WarnOfOlderPackages(const std::vector<RequiredPackage>& required) const;

 private:
  const Operation& operation_;
  const OperationOptions& options_;
  const Run& run_;
  Reporter& report_;
};

}  // namespace kingpost::engine
