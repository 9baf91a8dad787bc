// SPDX-License-Identifier: Apache-2.0
#include "engine/identity.h"

#include "decisions/aliases.h"

namespace kingpost::engine {

// A state that refers to what comes later, or never, could not be saved.
Status Identity::RefersToKnown(const Declared& declared, const Urn& urn) const {
  Status status;
  const auto must_be_known = [&](const Urn& target, const char* words) {
    if (!status.ok() || target.empty() || run_.rows().IsKnown(target) || run_.rows().IsRenamed(target)) return;
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

Result<Urn> Identity::Claim(const Declared& declared, const std::string& name) {
  if (!declared.parent.empty() && !run_.rows().IsKnown(declared.parent)) {
    return Status(Code::kNotFound, "could not find parent resource " + declared.parent.str());
  }
  const Urn urn = run_.MakeUrn(declared.parent, declared.type, name);
  if (const Status known = RefersToKnown(declared, urn); !known.ok()) return known;
  if (run_.rows().Claim(urn)) return urn;
  report_.Error(urn, "Duplicate resource URN '" + urn.str() + "'; try giving it a unique name");
  return Status::Bail();
}

OldResource Identity::FindOld(const Urn& urn, const Urn& parent, const std::string& type, const std::string& name,
                              const std::vector<Alias>& aliases) {
  decisions::Rows& rows = run_.rows();
  OldResource old;
  if (rows.IsRenamed(urn)) {
    old.clash = true;
    report_.Error(urn, "Duplicate resource URN '" + urn.str() + "' conflicting with alias on resource with URN '" +
                           rows.NowCalled(urn).str() + "'");
  }
  old.state = rows.Old(urn);
  if (old.state) return old;
  decisions::AliasContext context;
  context.stack = operation_.stack;
  context.project = operation_.project;
  context.matched_alias = [&rows](const Urn& of) {
    const decisions::Row* row = rows.Find(of);
    return row && row->urn() == of ? row->former() : Urn();
  };
  for (const Urn& candidate : decisions::AliasUrns(context, name, type, parent, aliases)) {
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
  const decisions::Rows& rows = run_.rows();
  const std::string text = "Duplicate resource alias '" + candidate.str() + "' applied to resource with URN '" +
                           urn.str() + "' conflicting with resource with URN '";
  const bool is_known = rows.IsKnown(candidate);
  if (is_known) report_.Error(urn, text + urn.str() + "'");
  const bool is_taken = rows.IsRenamed(candidate);
  if (is_taken) report_.Error(urn, text + rows.NowCalled(candidate).str() + "'");
  return is_known || is_taken;
}

}  // namespace kingpost::engine
