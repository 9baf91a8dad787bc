// SPDX-License-Identifier: Apache-2.0
// State migrations: functions of the program that rewrite what is recorded of a resource and of all below it, before
// its registration looks at it (group 11). The callbacks are asked, the decisions are decisions/'s, the record comes
// before everything else. Engine thread.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/registration.h"

namespace kingpost::engine {

// With all other requests at a standstill. Fails for what must not be changed so; nothing has changed then.
Task<Status> MigrateStates(const RegistrationParts& parts, Urn urn, std::shared_ptr<const Goal> goal,
                           std::vector<Callback> callbacks);

// The caller of a remote component may attach migrations, and so may the component when it registers itself. Its own
// run first, and the aliases of both find it (row 11.4).
class MigrationsOfComponents {
 public:
  // The migrations that `request` carries. Of one that a provider is to construct they are kept until it registers
  // itself.
  void Join(RegisterResourceRequest* request);

 private:
  struct Kept {
    std::vector<Callback> callbacks;
    std::vector<Alias> aliases;
  };
  std::unordered_map<std::string, Kept> kept_;  // by parent, type and name
};

}  // namespace kingpost::engine
