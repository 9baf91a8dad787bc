// SPDX-License-Identifier: Apache-2.0
// Targets of an operation on many stacks: each names its stack, as "network/prod::PATTERN", or is a URN. Pure.
#pragma once

#include <optional>
#include <string>

#include "operation/fleet/listed_members.h"

namespace kingpost::fleet {

// What the target asks of this member, whose stack is called `stack`: a URN or a pattern. Nothing if it is of another.
std::optional<std::string> PartFor(const std::string& target, const MemberNames& member, const std::string& stack);

}  // namespace kingpost::fleet
