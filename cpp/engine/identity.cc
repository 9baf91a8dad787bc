// SPDX-License-Identifier: Apache-2.0
#include "engine/identity.h"

#include "decisions/aliases.h"
#include "decisions/claims.h"

namespace kingpost::engine {

Result<Urn> Identity::Claim(const DeclaredFields& declared, const std::string& name) {
  const Urn urn = run_.MakeUrn(declared.parent, declared.type, name);
  KP_TRY(decisions::CheckKnownReferences(declared, urn, run_.rows()));
  if (const auto taken = decisions::WhyNotClaimed(urn, run_.rows())) return Status(Code::kFailedPrecondition, *taken);
  if (run_.rows().Claim(urn)) return urn;
  report_.Error(urn, decisions::DuplicateText(urn));
  return Status::Bail();
}

OldResource Identity::FindOld(const Urn& urn, const Urn& parent, const std::string& type, const std::string& name,
                              const std::vector<Alias>& aliases) {
  decisions::RecordedMatch found =
      decisions::FindRecordedMatch(operation_.stack, operation_.project, urn, parent, type, name, aliases, run_.rows());
  for (const std::string& clash : found.clashes) report_.Error(urn, clash);
  if (!found.alias.empty()) {
    run_.rows().Continue(urn, found.alias);
    providers_.RegisterAlias(urn, found.alias);
  }
  return {std::move(found.state), std::move(found.alias), !found.clashes.empty()};
}

}  // namespace kingpost::engine
