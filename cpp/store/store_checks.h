// SPDX-License-Identifier: Apache-2.0
// Checks of a store before it is needed: whether it may be read and written, whether it honours conditions,
// whose clock is wrong, and leftovers. Blocking; changes nothing that stays.
#pragma once

#include <string>
#include <vector>

#include "kingpost/state_store.h"
#include "remote/blob/bucket_rules.h"

namespace kingpost {

struct StoreCheck {
  enum class Verdict { kGood, kDoubtful, kBad };
  Verdict verdict = Verdict::kGood;
  std::string what;    // "conditional writes"
  std::string found;   // one sentence
  std::string remedy;  // what to do; "" if nothing is to be done
};

// Whether old versions are kept, for how long, and whether the bucket deletes what is still needed.
std::vector<StoreCheck> CheckBucketRules(const BucketRules& rules);

// In the order in which one needs the other: after a bad one, nothing is asked that needs it.
std::vector<StoreCheck> CheckStore(StateStore& store);

}  // namespace kingpost
