// SPDX-License-Identifier: Apache-2.0
// A bucket's own rules for its objects: it keeps old versions, and deletes old objects. Read for `doctor` alone, by
// rights that nothing else needs.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct BucketRules {
  struct Rule {
    std::string name;
    std::string prefix;         // of the keys that it is about, with the root of the bucket's URL
    int expires_days = 0;       // objects go after so long; 0: they stay
    int old_versions_days = 0;  // versions that were written over or deleted
  };
  bool versions = false;
  std::vector<Rule> rules;
  std::string root;  // before all keys of the state
};

class BucketWithRules {
 public:
  virtual ~BucketWithRules() = default;
  virtual Result<BucketRules> ReadRules() = 0;
};

}  // namespace kingpost
