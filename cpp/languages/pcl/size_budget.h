// SPDX-License-Identifier: Apache-2.0
// The largest size of a program's value, and of all of them together. Lists share what they refer to, so that a dozen
// lines can describe more values than any memory holds once they are written out. Any thread.
#pragma once

#include <cstdint>

#include "model/value.h"

namespace kingpost::pcl {

inline constexpr uint64_t kValueSizeMax = uint64_t{128} << 20;
inline constexpr uint64_t kProgramSizeMax = uint64_t{1} << 30;
inline constexpr uint64_t kScalarSize = 16;  // what any value counts beside its text
inline constexpr char kValueTooLarge[] =
    "this comes to more than 128 MiB of values when all that it refers to is written out";
inline constexpr char kProgramTooLarge[] =
    "with this the values of the program come to more than 1 GiB when all that they refer to is written out";

// The size of a value with all that it refers to; counting stops where that is more than kValueSizeMax.
uint64_t SizeOf(const Value& value);

}  // namespace kingpost::pcl
