// SPDX-License-Identifier: Apache-2.0
// Targets of an operation on many stacks: each names its stack, as "network/prod::PATTERN", or is a URN. Pure.
#pragma once

#include <optional>
#include <string>

#include "operation/fleet/listed_members.h"

namespace kingpost::fleet {

// The part of a target that applies to this member, whose stack is called `stack`: a URN or a pattern. None if the
// target names another member.
std::optional<std::string> PartFor(const std::string& target, const MemberNames& member, const std::string& stack);

}  // namespace kingpost::fleet
