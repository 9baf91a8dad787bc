// SPDX-License-Identifier: Apache-2.0
// The names that a registration or a read may refer to and may have (rows 1.6, 2.2, 3.1). Pure.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "decisions/rows.h"

namespace kingpost::decisions {

// Fails for a parent, and then for any other reference, that this run has neither registered nor kept. A state that
// refers to a later or missing resource could not be saved.
Status CheckKnownReferences(const DeclaredFields& declared, const Urn& urn, const Rows& rows);

// A text for a name that a state migration of this run has given away.
std::optional<std::string> WhyNotClaimed(const Urn& urn, const Rows& rows);

// The first registration or read of a run claims the name; a second one is refused with this text.
std::string DuplicateText(const Urn& urn);

}  // namespace kingpost::decisions
