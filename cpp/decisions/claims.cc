// SPDX-License-Identifier: Apache-2.0
#include "decisions/claims.h"

namespace kingpost::decisions {

Status CheckKnownReferences(const DeclaredFields& declared, const Urn& urn, const Rows& rows) {
  if (!declared.parent.empty() && !rows.IsKnown(declared.parent)) {
    return Status(Code::kNotFound, "could not find parent resource " + declared.parent.str());
  }
  Status status;
  const auto must_be_known = [&](const Urn& target, const char* words) {
    if (!status.ok() || target.empty() || rows.IsKnown(target) || rows.IsRenamed(target)) return;
    status = Status(Code::kNotFound,
                    "resource " + urn.str() + words + target.str() + ", which has not been registered before it");
  };
  for (const Urn& target : declared.dependencies) must_be_known(target, " depends on ");
  for (const auto& [key, targets] : declared.property_dependencies) {
    for (const Urn& target : targets) must_be_known(target, " depends on ");
  }
  must_be_known(declared.deleted_with, " is to be deleted with ");
  for (const Urn& target : declared.replace_with) must_be_known(target, " is to be replaced with ");
  return status;
}

std::optional<std::string> WhyNotClaimed(const Urn& urn, const Rows& rows) { return rows.migrations().WhyTaken(urn); }

std::string DuplicateText(const Urn& urn) {
  return "Duplicate resource URN '" + urn.str() + "'; try giving it a unique name";
}

}  // namespace kingpost::decisions
