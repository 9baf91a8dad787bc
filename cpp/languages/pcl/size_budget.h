// SPDX-License-Identifier: Apache-2.0
// The largest size of a program's value. Lists share what they refer to, so that a dozen lines can describe more values
// than any memory holds once they are written out. Any thread.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "languages/pcl/position.h"
#include "model/value.h"

namespace kingpost::pcl {

// The parts of one value, each counted with all that it refers to.
class SizeBudget {
 public:
  explicit SizeBudget(Position at) : at_(at) {}  // of the expression that makes the value

  // Fails with the place in the program once there is more than 128 MiB in sum.
  Status Add(const Value& part);
  Status AddText(uint64_t bytes);

 private:
  const Position at_;
  uint64_t size_ = 0;
};

}  // namespace kingpost::pcl
