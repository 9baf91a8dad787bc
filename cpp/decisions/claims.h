// SPDX-License-Identifier: Apache-2.0
// What a registration or a read may name, and be named (rows 1.6, 2.2, 3.1). Pure.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "decisions/rows.h"

namespace kingpost::decisions {

// Fails for a parent, and then for any other reference, that this run has neither registered nor kept: a state that
// refers to what comes later, or never, could not be saved.
Status RefersToKnown(const Declared& declared, const Urn& urn, const Rows& rows);

// A text for a name that a state migration of this run has given away.
std::optional<std::string> WhyNotClaimed(const Urn& urn, const Rows& rows);

// The name is claimed by the first registration or read of a run; whoever comes second is refused with this text.
std::string DuplicateText(const Urn& urn);

}  // namespace kingpost::decisions
