// SPDX-License-Identifier: Apache-2.0
#include "engine/identity.h"

#include "plan/aliases.h"

namespace kingpost::engine {

Result<Urn> Identity::Claim(const Urn& parent, const std::string& type, const std::string& name) {
  if (!parent.empty() && !state_.Is(parent, kSeen)) {
    return Status(Code::kNotFound, "could not find parent resource " + parent.str());
  }
  Urn urn = state_.MakeUrn(parent, type, name);
  if (!claimed_.insert(urn).second) {
    report_.Error(urn, "Duplicate resource URN '" + urn.str() + "'; try giving it a unique name");
    return Status::Bail();
  }
  state_.Mark(urn, kSeen);
  return urn;
}

Status Identity::MayStillChange(const Urn& urn) const {
  if (!state_.Is(urn, kUnchanged)) return Status();
  return Status(
      Code::kFailedPrecondition,
      "resource " + urn.str() +
          " was kept as it is, because an untargeted resource that depends on it was registered first. Target "
          "that resource too, or let the program register it later.");
}

OldResource Identity::FindOld(const Urn& urn, const Urn& parent, const std::string& type, const std::string& name,
                              const std::vector<Alias>& aliases) {
  OldResource old;
  const auto claimed = state_.aliased.find(urn);
  if (claimed != state_.aliased.end()) {
    old.clash = true;
    report_.Error(urn, "Duplicate resource URN '" + urn.str() + "' conflicting with alias on resource with URN '" +
                           claimed->second.str() + "'");
  }
  old.state = state_.Old(urn);
  if (old.state) return old;
  plan::AliasContext context;
  context.stack = operation_.stack;
  context.project = operation_.project;
  context.matched_alias = [this](const Urn& of) {
    const auto found = state_.alias_of.find(of);
    return found == state_.alias_of.end() ? Urn() : found->second;
  };
  for (const Urn& candidate : plan::AliasUrns(context, name, type, parent, aliases)) {
    old.state = state_.Old(candidate);
    if (!old.state) continue;
    old.clash = ReportClash(urn, candidate) || old.clash;
    old.alias = candidate;
    state_.aliased.insert_or_assign(candidate, urn);
    state_.alias_of.insert_or_assign(urn, candidate);
    providers_.RegisterAlias(urn, candidate);
    break;
  }
  return old;
}

// Both may hold: the old name was registered in this run, and another resource has taken it as an alias.
bool Identity::ReportClash(const Urn& urn, const Urn& candidate) {
  const std::string text = "Duplicate resource alias '" + candidate.str() + "' applied to resource with URN '" +
                           urn.str() + "' conflicting with resource with URN '";
  const bool seen = state_.Is(candidate, kSeen);
  if (seen) report_.Error(urn, text + urn.str() + "'");
  const auto taken = state_.aliased.find(candidate);
  if (taken != state_.aliased.end()) report_.Error(urn, text + taken->second.str() + "'");
  return seen || taken != state_.aliased.end();
}

}  // namespace kingpost::engine
