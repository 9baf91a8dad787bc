// SPDX-License-Identifier: Apache-2.0
// The reference's own lock of a stack in a bucket and nothing beside it: for those who may touch its keys alone. It has
// no lease, so what a machine that died has left stays until `cancel`.
#pragma once

#include <memory>

#include "kingpost/state_store.h"
#include "store/blob_hold.h"

namespace kingpost {

// Looks, writes, and looks again; of two at the same instant both may lose, as in the reference. `held` lives as long
// as the lock.
Result<std::unique_ptr<StackLock>> TakePlainLock(const std::shared_ptr<BlobBucket>& bucket, const HoldKeys& places,
                                                 std::shared_ptr<void> held);

}  // namespace kingpost
