// SPDX-License-Identifier: Apache-2.0
// Checks the former names that aliases spell.
#include "decisions/aliases.h"

#include <catch2/catch.hpp>
#include <map>

namespace kingpost::aliases_test {

using decisions::AliasContext;
using decisions::AliasUrns;

const std::string kType = "pkg:m:Typ";
const std::string kComponent = "pkg:c:Comp";

Urn MakeUrn(const std::string& type, const std::string& name, const std::string& parent_type = "") {
  return Urn::Make("st", "pr", parent_type, type, name);
}

AliasContext ContextWith(std::map<Urn, Urn> matched = {}) {
  AliasContext context;
  context.stack = "st";
  context.project = "pr";
  context.matched_alias = [matched = std::move(matched)](const Urn& urn) {
    auto found = matched.find(urn);
    return found == matched.end() ? Urn() : found->second;
  };
  return context;
}

std::vector<Urn> UrnsOf(const Urn& parent, const Alias& alias, const AliasContext& context = ContextWith()) {
  return AliasUrns(context, "res", kType, parent, {alias});
}

using Urns = std::vector<Urn>;

TEST_CASE("unset parts of an alias are those of the resource") {
  const Urn parent = MakeUrn(kComponent, "par");
  Alias alias;
  alias.name = "old";
  CHECK(UrnsOf(Urn(), alias) == Urns{MakeUrn(kType, "old")});
  CHECK(UrnsOf(parent, alias) == Urns{MakeUrn(kType, "old", kComponent)});
  alias = Alias();
  alias.type = "pkg:m:Old";
  CHECK(UrnsOf(parent, alias) == Urns{MakeUrn("pkg:m:Old", "res", kComponent)});
  alias = Alias();
  alias.stack = "st2";
  alias.project = "pr2";
  CHECK(UrnsOf(Urn(), alias) == Urns{Urn::Make("st2", "pr2", "", kType, "res")});
  alias = Alias();
  alias.urn = Urn("urn:pulumi:x::y::a:b:C::d");
  alias.name = "ignored";
  CHECK(UrnsOf(parent, alias) == Urns{alias.urn});
}

TEST_CASE("an alias may name another parent, or none") {
  const Urn parent = MakeUrn(kComponent, "par");
  const Urn nested = MakeUrn(kComponent, "deep", "pkg:c:Outer");
  Alias alias;
  alias.parent_urn = nested;
  CHECK(UrnsOf(parent, alias) == Urns{MakeUrn(kType, "res", "pkg:c:Outer$pkg:c:Comp")});
  alias = Alias();
  alias.no_parent = true;
  CHECK(UrnsOf(parent, alias) == Urns{MakeUrn(kType, "res")});
  alias = Alias();
  alias.parent_urn = MakeUrn("pulumi:pulumi:Stack", "pr-st");
  CHECK(UrnsOf(parent, alias) == Urns{MakeUrn(kType, "res")});
}

TEST_CASE("a parent that was itself renamed is meant under its old name") {
  const Urn parent = MakeUrn(kComponent, "par");
  const Urn old_parent = MakeUrn("pkg:c:Old", "oldpar");
  Alias alias;
  alias.parent_urn = parent;
  const Urns urns = UrnsOf(Urn(), alias, ContextWith({{parent, old_parent}}));
  CHECK(urns == Urns{MakeUrn(kType, "res", "pkg:c:Old")});
}

TEST_CASE("children of a renamed parent are looked for under it") {
  const Urn parent = MakeUrn(kComponent, "par");
  const Urn old_parent = MakeUrn("pkg:c:Old", "was");
  const AliasContext context = ContextWith({{parent, old_parent}});
  CHECK(AliasUrns(context, "res", kType, parent, {}) == Urns{MakeUrn(kType, "res", "pkg:c:Old")});
  CHECK(AliasUrns(context, "par-res", kType, parent, {}) == Urns{MakeUrn(kType, "was-res", "pkg:c:Old")});
  CHECK(AliasUrns(context, "res-par", kType, parent, {}) == Urns{MakeUrn(kType, "res-par", "pkg:c:Old")});
  CHECK(AliasUrns(context, "res", kType, Urn(), {}).empty());
}

TEST_CASE("a renamed child of a renamed parent is looked for under every combination of old and new names") {
  const Urn parent = MakeUrn(kComponent, "par");
  const AliasContext context = ContextWith({{parent, MakeUrn("pkg:c:Old", "was")}});
  Alias renamed;
  renamed.name = "par-old";
  const Urns urns = AliasUrns(context, "par-new", kType, parent, {renamed});
  CHECK(urns == Urns{MakeUrn(kType, "par-old", kComponent), MakeUrn(kType, "was-new", "pkg:c:Old"),
                     MakeUrn(kType, "was-old", "pkg:c:Old")});
}

TEST_CASE("aliases stay in order and come once") {
  Alias one, two;
  one.name = "one";
  two.name = "two";
  const Urns urns = AliasUrns(ContextWith(), "res", kType, Urn(), {two, one, two});
  CHECK(urns == Urns{MakeUrn(kType, "two"), MakeUrn(kType, "one")});
}

StatePtr Recorded(const Urn& urn) {
  State state;
  state.urn = urn;
  state.type = std::string(urn.type());
  return std::make_shared<const State>(std::move(state));
}

Alias Named(const std::string& name) {
  Alias alias;
  alias.name = name;
  return alias;
}

TEST_CASE("the own URN comes before aliases, and aliases in their order") {
  const Urn own = MakeUrn(kType, "res"), one = MakeUrn(kType, "one"), two = MakeUrn(kType, "two");
  const auto found = [&](std::vector<StatePtr> base) {
    decisions::Rows rows;
    rows.SetBase(std::move(base));
    return decisions::FindRecordedMatch("st", "pr", own, Urn(), kType, "res", {Named("one"), Named("two")}, rows);
  };
  CHECK(found({}).state == nullptr);
  CHECK(found({Recorded(two)}).alias == two);
  CHECK(found({Recorded(two), Recorded(one)}).alias == one);
  CHECK(found({Recorded(two), Recorded(own)}).alias.empty());
  CHECK(found({Recorded(two), Recorded(own)}).state->urn == own);
  CHECK(found({Recorded(one)}).clashes.empty());
}

TEST_CASE("contradicting aliases are refused") {
  const Urn own = MakeUrn(kType, "res"), one = MakeUrn(kType, "one"), other = MakeUrn(kType, "other");
  const auto clashes = [&](bool is_known, bool is_renamed, const Urn& urn) {
    decisions::Rows rows;
    rows.SetBase({Recorded(one)});
    rows.Claim(other);
    if (is_renamed) rows.Continue(other, one);
    if (is_known) rows.Claim(one);
    return decisions::FindRecordedMatch("st", "pr", urn, Urn(), kType, "res", {Named("one")}, rows).clashes;
  };
  CHECK(clashes(false, false, own).empty());
  REQUIRE(clashes(true, false, own).size() == 1);
  CHECK(clashes(true, false, own)[0] == "Duplicate resource alias '" + one.str() + "' applied to resource with URN '" +
                                            own.str() + "' conflicting with resource with URN '" + own.str() + "'");
  CHECK(clashes(false, true, one)[0] ==
        "Duplicate resource URN '" + one.str() + "' conflicting with alias on resource with URN '" + other.str() + "'");
}

}  // namespace kingpost::aliases_test
