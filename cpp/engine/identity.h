// SPDX-License-Identifier: Apache-2.0
// The identity of a registration or a read: its URN, claimed once per run, and the recorded resource that it continues
// (rows 1.6, 2.2, 2.5 and 2.6). Engine thread.
#pragma once

#include "engine/providers/provider_registry.h"
#include "engine/reporter.h"
#include "engine/run.h"

namespace kingpost::engine {

struct OldResource {
  StatePtr state;      // null if nothing is recorded
  Urn alias;           // the former name it was found under, "" if its own
  bool clash = false;  // another resource claims it too; reported
};

class Identity {
 public:
  Identity(const Operation& operation, Run& run, Reporter& report, providers::ProviderRegistry& providers)
      : operation_(operation), run_(run), report_(report), providers_(providers) {}

  // Fails for references to what this run has not seen, and for a name that has been claimed before (reported).
  Result<Urn> Claim(const DeclaredFields& declared, const std::string& name);
  // By its own URN first, then by its aliases in order. A resource that is found under an alias lives on under `urn`.
  OldResource FindOld(const Urn& urn, const Urn& parent, const std::string& type, const std::string& name,
                      const std::vector<Alias>& aliases);

 private:
  const Operation& operation_;
  Run& run_;
  Reporter& report_;
  providers::ProviderRegistry& providers_;
};

}  // namespace kingpost::engine
