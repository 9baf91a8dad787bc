// SPDX-License-Identifier: Apache-2.0
#include "engine/identity.h"

#include "plan/aliases.h"

namespace kingpost::engine {

Result<Urn> Identity::Claim(const Urn& parent, const std::string& type, const std::string& name) {
  if (!parent.empty() && !run_.rows().IsKnown(parent)) {
    return Status(Code::kNotFound, "could not find parent resource " + parent.str());
  }
  Urn urn = run_.MakeUrn(parent, type, name);
  if (run_.rows().Claim(urn)) return urn;
  report_.Error(urn, "Duplicate resource URN '" + urn.str() + "'; try giving it a unique name");
  return Status::Bail();
}

OldResource Identity::FindOld(const Urn& urn, const Urn& parent, const std::string& type, const std::string& name,
                              const std::vector<Alias>& aliases) {
  plan::Rows& rows = run_.rows();
  OldResource old;
  if (rows.IsRenamed(urn)) {
    old.clash = true;
    report_.Error(urn, "Duplicate resource URN '" + urn.str() + "' conflicting with alias on resource with URN '" +
                           rows.NowCalled(urn).str() + "'");
  }
  old.state = rows.Old(urn);
  if (old.state) return old;
  plan::AliasContext context;
  context.stack = operation_.stack;
  context.project = operation_.project;
  context.matched_alias = [&rows](const Urn& of) {
    const plan::Row* row = rows.Find(of);
    return row && row->urn() == of ? row->former() : Urn();
  };
  for (const Urn& candidate : plan::AliasUrns(context, name, type, parent, aliases)) {
    old.state = rows.Old(candidate);
    if (!old.state) continue;
    old.clash = ReportClash(urn, candidate) || old.clash;
    old.alias = candidate;
    rows.Continue(urn, candidate);
    providers_.RegisterAlias(urn, candidate);
    break;
  }
  return old;
}

// Both may hold: the old name was registered in this run, and another resource has taken it as an alias.
bool Identity::ReportClash(const Urn& urn, const Urn& candidate) {
  const plan::Rows& rows = run_.rows();
  const std::string text = "Duplicate resource alias '" + candidate.str() + "' applied to resource with URN '" +
                           urn.str() + "' conflicting with resource with URN '";
  const bool is_known = rows.IsKnown(candidate);
  if (is_known) report_.Error(urn, text + urn.str() + "'");
  const bool is_taken = rows.IsRenamed(candidate);
  if (is_taken) report_.Error(urn, text + rows.NowCalled(candidate).str() + "'");
  return is_known || is_taken;
}

}  // namespace kingpost::engine
