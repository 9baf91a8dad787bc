// SPDX-License-Identifier: Apache-2.0
// Whether a bucket minds conditions. Some services answer that they cannot, some do not look at them. Blocking.
#pragma once

#include "remote/blob/blob_bucket.h"

namespace kingpost {

struct HonoredConditions {
  bool puts = false;
  bool deletes = false;  // some services look at those of puts alone
  bool operator==(const HonoredConditions&) const = default;
};

// Tries it with an object of its own, and remembers the answer on this machine for a week.
Result<HonoredConditions> FindHonoredConditions(BlobBucket& bucket);
// Tries it now: what is there is put as if it were not, and deleted as if it were what it was before.
Result<HonoredConditions> ProbeConditions(BlobBucket& bucket);

}  // namespace kingpost
