// Old snapshots brought up to date before a run (row 2.17).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "model/snapshot.h"

namespace kingpost::plan {

// Adds default providers to custom resources without one, and outputs to providers without any. Null: nothing to do.
std::shared_ptr<const Snapshot> MigrateBase(const Snapshot& base, const std::string& stack, const std::string& project,
                                            const std::function<std::string(int)>& random_bytes);

}  // namespace kingpost::plan
