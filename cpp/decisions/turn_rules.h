// SPDX-License-Identifier: Apache-2.0
// Whom a choice of steps waits for, because choices reach beyond their own resource (row 3.52). Pure.
#pragma once

#include <functional>

#include "decisions/rows.h"

namespace kingpost::decisions {

struct ChoiceBlocker {
  enum class For { kNobody, kOwnDelete, kAnotherChoice } what = For::kNobody;
  Urn other;  // whose choice
};

// A resource that one of its dependencies has condemned waits for its delete, which may fail; then it stays. A resource
// that does not take part waits for the choices of its direct and indirect dependencies. This registration keeps it
// only if no other one records it. `is_undecided`: a registration of that recorded name has not chosen yet.
ChoiceBlocker FindChoiceBlocker(const StatePtr& old_state, bool takes_part, const Rows& rows,
                                const std::function<bool(const Urn&)>& is_undecided);

}  // namespace kingpost::decisions
