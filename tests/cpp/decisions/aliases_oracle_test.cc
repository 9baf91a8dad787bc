// SPDX-License-Identifier: Apache-2.0
// Checks former names in chains of up to four parents. The oracle knows the former name of every resource. The aliases
// must lead to it, whatever else was renamed above.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "decisions/aliases.h"

namespace kingpost::aliases_oracle_test {

using decisions::AliasContext;
using decisions::AliasUrns;

// The change that the rewriting made to one resource, and the form of its alias.
enum class Change { kNone, kRenamed, kRetyped, kBoth, kWasAtRoot, kWasElsewhere, kByUrn, kProject };
constexpr int kChanges = 8;

const std::string kAside = "aside";  // a resource beside the chain, once the parent of what was elsewhere

struct Resource {
  std::string name, type;
  Urn parent, urn;
};

// A chain before and after the rewriting. With `derived`, a child's name begins with its parent's, as it is now.
struct World {
  std::vector<Change> changes;
  bool derived = false;
  bool aside_renamed = false;

  static Urn UrnOf(const std::string& type, const std::string& name, const Urn& parent,
                   const std::string& project = "project") {
    return Urn::Make("stack", project, parent.empty() ? "" : parent.qualified_type(), type, name);
  }
  Resource Aside(bool before) const {
    const std::string name = before && aside_renamed ? "old-aside" : kAside;
    const std::string type = before && aside_renamed ? "pkg:m:OldAside" : "pkg:m:Aside";
    return {name, type, Urn(), UrnOf(type, name, Urn())};
  }
  std::vector<Resource> Chain(bool before) const {
    std::vector<Resource> chain;
    for (size_t level = 0; level < changes.size(); ++level) {
      const Change change = changes[level];
      const bool renamed = change == Change::kRenamed || change == Change::kBoth || change == Change::kByUrn;
      const bool retyped = change == Change::kRetyped || change == Change::kBoth || change == Change::kByUrn;
      const std::string number = std::to_string(level);
      Resource resource;
      resource.name = (before && renamed ? "was" : "now") + number;
      if (derived && level > 0) resource.name = chain.back().name + "-" + resource.name;
      resource.type = (before && retyped ? "pkg:m:Was" : "pkg:m:Now") + number;
      if (level > 0) resource.parent = chain.back().urn;
      if (before && change == Change::kWasAtRoot) resource.parent = Urn();
      if (before && change == Change::kWasElsewhere) resource.parent = Aside(true).urn;
      const bool elsewhere = before && change == Change::kProject;
      resource.urn = UrnOf(resource.type, resource.name, resource.parent, elsewhere ? "before" : "project");
      chain.push_back(resource);
    }
    return chain;
  }
  // The alias that the program gives at this level.
  std::vector<Alias> AliasesAt(size_t level) const {
    const Resource old = Chain(true)[level];
    Alias alias;
    switch (changes[level]) {
      case Change::kNone:
        return {};
      case Change::kRenamed:
        alias.name = old.name;
        break;
      case Change::kRetyped:
        alias.type = old.type;
        break;
      case Change::kBoth:
        alias.name = old.name;
        alias.type = old.type;
        break;
      case Change::kWasAtRoot:
        alias.no_parent = true;
        break;
      case Change::kWasElsewhere:
        alias.parent_urn = Aside(false).urn;
        break;
      case Change::kByUrn:
        alias.urn = old.urn;
        break;
      case Change::kProject:
        alias.project = "before";
        break;
    }
    // The alias of a resource that was renamed along with its parent has to give the former name.
    if (alias.urn.empty()) alias.name = old.name;
    return {alias};
  }
};

// The old URN that a run finds for each level, one after the other; "" if none.
std::vector<Urn> Resolve(const World& world, const std::vector<Alias>& decoys) {
  const std::vector<Resource> before = world.Chain(true), now = world.Chain(false);
  std::set<Urn> recorded;
  for (const Resource& resource : before) recorded.insert(resource.urn);
  std::map<Urn, Urn> matched;
  if (world.aside_renamed) matched[world.Aside(false).urn] = world.Aside(true).urn;
  AliasContext context{"stack", "project", [&](const Urn& urn) {
                         auto found = matched.find(urn);
                         return found == matched.end() ? Urn() : found->second;
                       }};
  std::vector<Urn> found;
  for (size_t level = 0; level < now.size(); ++level) {
    const Resource& resource = now[level];
    found.emplace_back();
    if (recorded.count(resource.urn) > 0) {
      found.back() = resource.urn;
      continue;
    }
    std::vector<Alias> aliases = decoys;
    for (Alias& alias : world.AliasesAt(level)) aliases.push_back(std::move(alias));
    for (const Urn& urn : AliasUrns(context, resource.name, resource.type, resource.parent, aliases)) {
      if (recorded.count(urn) == 0) continue;
      found.back() = urn;
      matched[resource.urn] = urn;
      break;
    }
  }
  return found;
}

// False for a resource of another project below a changed parent: only the URN can find it, as in Pulumi.
bool IsKnowable(const World& world, size_t level) {
  bool any_change = false;
  for (size_t above = 0; above <= level; ++above) {
    if (world.changes[above] == Change::kProject && any_change) return false;
    any_change = any_change || world.changes[above] != Change::kNone;
  }
  return true;
}

TEST_CASE("every resource in a chain of up to four parents is found under its former name") {
  int cases = 0;
  Alias decoy_name, decoy_type;
  decoy_name.name = "never";
  decoy_type.type = "pkg:m:Never";
  for (int length = 1; length <= 4; ++length) {
    int numbers = 4;
    for (int i = 0; i < length; ++i) numbers *= kChanges;
    for (int number = 0; number < numbers; ++number) {
      World world;
      world.derived = number & 1;
      world.aside_renamed = number & 2;
      for (int i = 0, rest = number / 4; i < length; ++i, rest /= kChanges) {
        world.changes.push_back(static_cast<Change>(rest % kChanges));
      }
      const std::vector<Resource> before = world.Chain(true);
      for (const std::vector<Alias>& decoys : {std::vector<Alias>{}, std::vector<Alias>{decoy_name, decoy_type}}) {
        ++cases;
        const std::vector<Urn> found = Resolve(world, decoys);
        for (int level = 0; level < length; ++level) {
          if (!IsKnowable(world, level) || found[level] == before[level].urn) continue;
          FAIL("level " << level << " of " << number << " in " << length << ": wants " << before[level].urn.str()
                        << ", finds " << found[level].str());
        }
      }
    }
  }
  CHECK(cases > 30000);
}

}  // namespace kingpost::aliases_oracle_test
