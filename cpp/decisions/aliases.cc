// SPDX-License-Identifier: Apache-2.0
#include "decisions/aliases.h"

#include <string_view>
#include <unordered_set>

namespace kingpost::decisions {

namespace {

// The URN that an alias means, with every unset part taken from the resource as it is now.
Urn Collapse(const AliasContext& context, const std::string& name, const std::string& type, const Urn& own_parent,
             const Alias& alias) {
  if (!alias.urn.empty()) return alias.urn;
  Urn parent = own_parent;
  if (!alias.parent_urn.empty()) {
    // [P was Q; child C has an alias with parent P]: the alias means Q's child.
    const Urn old_parent = context.matched_alias(alias.parent_urn);
    parent = old_parent.empty() ? alias.parent_urn : old_parent;
  }
  if (alias.no_parent || (!parent.empty() && parent.qualified_type() == kRootStackType)) parent = Urn();
  return Urn::Make(alias.stack.empty() ? context.stack : alias.stack,
                   alias.project.empty() ? context.project : alias.project,
                   parent.empty() ? std::string_view() : parent.qualified_type(),
                   alias.type.empty() ? type : alias.type, alias.name.empty() ? name : alias.name);
}

// A child of a renamed parent; if its name began with the parent's, it did so before, too.
Urn InheritedFromParent(const AliasContext& context, std::string_view type, std::string_view name,
                        std::string_view parent_name, const Urn& old_parent) {
  std::string old_name(name);
  if (name.substr(0, parent_name.size()) == parent_name) {
    old_name = std::string(old_parent.name()) + std::string(name.substr(parent_name.size()));
  }
  return Urn::Make(context.stack, context.project, old_parent.qualified_type(), type, old_name);
}

// Both may hold: the old name was registered in this run, and another resource has taken it as an alias.
std::vector<std::string> ClashesOfAlias(const Urn& urn, const Urn& alias, const Rows& rows) {
  const std::string text = "Duplicate resource alias '" + alias.str() + "' applied to resource with URN '" + urn.str() +
                           "' conflicting with resource with URN '";
  std::vector<std::string> clashes;
  if (rows.IsKnown(alias)) clashes.push_back(text + urn.str() + "'");
  if (rows.IsRenamed(alias)) clashes.push_back(text + rows.CurrentUrn(alias).str() + "'");
  return clashes;
}

}  // namespace

std::vector<Urn> AliasUrns(const AliasContext& context, const std::string& name, const std::string& type,
                           const Urn& parent, const std::vector<Alias>& aliases) {
  std::vector<Urn> result;
  std::unordered_set<Urn> known;  // programs may send very many
  auto add = [&result, &known](const Urn& urn) {
    if (known.insert(urn).second) result.push_back(urn);
  };
  for (const Alias& alias : aliases) add(Collapse(context, name, type, parent, alias));
  if (parent.empty()) return result;
  const Urn old_parent = context.matched_alias(parent);
  if (old_parent.empty()) return result;
  add(InheritedFromParent(context, type, name, parent.name(), old_parent));
  for (const Alias& alias : aliases) {
    const Urn own = Collapse(context, name, type, parent, alias);
    add(InheritedFromParent(context, own.type(), own.name(), parent.name(), old_parent));
  }
  return result;
}

std::vector<Urn> FormerNames(const std::string& stack, const std::string& project, const Urn& parent,
                             const std::string& type, const std::string& name, const std::vector<Alias>& aliases,
                             const Rows& rows) {
  const auto matched_alias = [&rows](const Urn& of) {
    const Row* row = rows.Find(of);
    return row && row->urn() == of ? row->former() : Urn();
  };
  std::vector<Urn> names = AliasUrns({stack, project, matched_alias}, name, type, parent, aliases);
  for (Urn& urn : names) rows.migrations().Follow(&urn);
  return names;
}

RecordedMatch FindRecordedMatch(const std::string& stack, const std::string& project, const Urn& urn, const Urn& parent,
                                const std::string& type, const std::string& name, const std::vector<Alias>& aliases,
                                const Rows& rows) {
  RecordedMatch found;
  if (rows.IsRenamed(urn)) {
    found.clashes.push_back("Duplicate resource URN '" + urn.str() + "' conflicting with alias on resource with URN '" +
                            rows.CurrentUrn(urn).str() + "'");
  }
  found.state = rows.Old(urn);
  if (found.state) return found;
  for (const Urn& alias : FormerNames(stack, project, parent, type, name, aliases, rows)) {
    found.state = rows.Old(alias);
    if (!found.state) continue;
    const std::vector<std::string> clashes = ClashesOfAlias(urn, alias, rows);
    found.clashes.insert(found.clashes.end(), clashes.begin(), clashes.end());
    found.alias = alias;
    break;
  }
  return found;
}

}  // namespace kingpost::decisions
