// SPDX-License-Identifier: Apache-2.0
// One member of a fleet in a process of its own, which a worker of a cluster has started: `up --as-member`. Standard
// output holds lines of JSON, engine events and questions; standard input the answers:
//
//     {"sequence":..,"resourcePreEvent":..}      an event
//     {"ask":1,"locked":"somebody holds it"}   ─▶ {"answer":1,"wait":true}
//     {"ask":2,"begin":{"recorded":..,..}}     ─▶ {"answer":2,"go":true,"plan":".."}
//     {"ask":3,"read":"organization/net/prod"} ─▶ {"answer":3}, or with "error":".." and perhaps "stopped":true
//     {"ended":{..}}                              how it ended (member_result.h)
//
// A parent that closes standard input interrupts the operation: its running steps end and are recorded. Main thread.
#pragma once

#include "cli/operations/operation_flags.h"
#include "cli/session/session.h"

namespace kingpost {

Status RunAsMember(Session& session, const OperationFlags& flags);

// The arguments after `up`, `refresh` or `destroy` that give such a process these flags: all declared ones except
// FleetFlagNames().
std::vector<std::string> MemberArguments(const OperationFlags& flags);
// The flags that the coordinating process keeps to itself.
std::vector<std::string> FleetFlagNames();

}  // namespace kingpost
