// SPDX-License-Identifier: Apache-2.0
// Blocking calls made side by side, because each spends its time waiting for a service.
#pragma once

#include <cstddef>
#include <functional>

#include "base/status.h"

namespace kingpost {

// How many requests at a time: PULUMI_DIY_BACKEND_PARALLEL, or 16.
size_t RequestsInFlightMax();

// work(0) to work(count - 1), in any order, on threads that end before it returns; the first failure in the order of
// numbers. All are done whatever fails. A single one is done by the caller.
Status RunParallel(size_t count, const std::function<Status(size_t)>& work);

}  // namespace kingpost
