// SPDX-License-Identifier: Apache-2.0
// Whether a bucket minds conditions. Some services answer that they cannot, some do not look at them. Blocking.
#pragma once

#include "remote/blob/blob_bucket.h"

namespace kingpost {

// Tries it with an object of its own, and remembers the answer on this machine for a week.
Result<bool> MindsConditions(BlobBucket& bucket);
// Tries it now: twice the same object, if it is not there. The second must be lost.
Result<bool> ProbeConditions(BlobBucket& bucket);

}  // namespace kingpost
