// SPDX-License-Identifier: Apache-2.0
// Old snapshots brought up to date before a run (row 2.17), and what of them no run can go on from.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "model/snapshot.h"

namespace kingpost::decisions {

// Adds default providers to custom resources without one, and outputs to providers without any. Null: nothing to do.
// What configured the resources of a package then is not recorded: it is taken from the stack's configuration, and the
// plugin's version from the snapshot's manifest.
std::shared_ptr<const Snapshot> MigrateBase(const Snapshot& base, const std::string& stack, const std::string& project,
                                            const std::function<std::string(int)>& random_bytes,
                                            const std::function<PropertyMap(const std::string&)>& package_config);

// Fails for a live resource of a provider without an ID: a reference to it would find another one.
Status CheckIds(const Snapshot& base);

}  // namespace kingpost::decisions
