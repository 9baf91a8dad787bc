// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/fleet/fleet_run.h"
#include "cli/session/exit_code.h"
#include "operation/fleet/member_targets.h"

namespace kingpost {

namespace {

std::optional<std::string> PartFor(const FleetMember& member, const std::string& target) {
  return fleet::PartFor(target, {member.name, member.project.name, member.label, {}}, member.stack.name);
}

std::vector<std::string> PartsFor(const FleetMember& member, const std::vector<std::string>& targets) {
  std::vector<std::string> parts;
  for (const std::string& target : targets) {
    if (std::optional<std::string> part = PartFor(member, target)) parts.push_back(*std::move(part));
  }
  return parts;
}

}  // namespace

void ChooseTargets(const Fleet& fleet, size_t member, OperationFlags* flags) {
  for (auto* list : {&flags->targets, &flags->excludes, &flags->replaces, &flags->target_replaces}) {
    *list = PartsFor(fleet.members[member], *list);
  }
}

Status CheckTargets(const Fleet& fleet, const OperationFlags& flags) {
  for (const auto* list : {&flags.targets, &flags.excludes, &flags.replaces, &flags.target_replaces}) {
    for (const std::string& target : *list) {
      const bool known = std::any_of(fleet.members.begin(), fleet.members.end(),
                                     [&](const FleetMember& member) { return PartFor(member, target).has_value(); });
      if (!known) {
        return UsageError("'" + target +
                          "' belongs to none of these stacks; write PROJECT/STACK::URN, PROJECT/STACK::PATTERN, or the "
                          "URN");
      }
    }
  }
  return Status::Ok();
}

}  // namespace kingpost
