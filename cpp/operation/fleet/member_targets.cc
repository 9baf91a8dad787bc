// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/member_targets.h"

namespace kingpost::fleet {

std::optional<std::string> PartFor(const std::string& target, const MemberNames& member, const std::string& stack) {
  if (target.starts_with("urn:pulumi:")) {
    const std::string own = "urn:pulumi:" + stack + "::" + member.project + "::";
    return target.starts_with(own) ? std::optional(target) : std::nullopt;
  }
  for (const std::string* name : {&member.name, &member.project, &member.label}) {
    const std::string prefix = *name + "::";
    if (!name->empty() && target.starts_with(prefix)) return target.substr(prefix.size());
  }
  return std::nullopt;
}

}  // namespace kingpost::fleet
