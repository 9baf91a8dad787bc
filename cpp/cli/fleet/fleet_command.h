// SPDX-License-Identifier: Apache-2.0
// preview, up, refresh and destroy of many stacks as one:
//
//     find ─▶ order ─▶ preview of all ─▶ one question ─▶ the operation on each, in the order of their references
//
// Main thread, which coordinates.
#pragma once

#include "cli/fleet/fleet_flags.h"
#include "cli/operations/operation_flags.h"
#include "cli/session/session.h"

namespace kingpost {

Status RunFleetCommand(Session& session, const OperationFlags& operation, const FleetFlags& flags);

}  // namespace kingpost
