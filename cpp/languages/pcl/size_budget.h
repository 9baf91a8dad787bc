// SPDX-License-Identifier: Apache-2.0
// The largest size of a program's value, and of all of them together. Lists share what they refer to, so that a dozen
// lines can describe more values than any memory holds once they are written out. One thread for each program.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "languages/pcl/position.h"
#include "model/value.h"

namespace kingpost::pcl {

inline constexpr uint64_t kValueSizeMax = uint64_t{128} << 20;
inline constexpr uint64_t kProgramSizeMax = uint64_t{1} << 30;
inline constexpr uint64_t kScalarSize = 16;  // what any value counts beside its text
inline constexpr char kValueTooLarge[] =
    "this comes to more than 128 MiB of values when all that it refers to is written out";

// The size of the values of one program's expressions.
struct ProgramSize {
  uint64_t before = 0;  // those that are done
  uint64_t now = 0;     // the one that is evaluated
};

// The parts of one value, each counted with all that it refers to.
class SizeBudget {
 public:
  SizeBudget(Position at, ProgramSize* program) : at_(at), program_(*program) {}  // of the expression that makes it

  // Fails with the place in the program once there is more than 128 MiB in sum, or 1 GiB in all expressions.
  Status Add(const Value& part);
  Status AddText(uint64_t bytes);

 private:
  const Position at_;
  ProgramSize& program_;
  uint64_t size_ = 0;
};

}  // namespace kingpost::pcl
