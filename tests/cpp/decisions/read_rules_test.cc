// SPDX-License-Identifier: Apache-2.0
// Checks the resources that a program reads and does not own.
#include "decisions/read_rules.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::read_rules_test {

using namespace plan_test;
using namespace decisions;

TEST_CASE("a read replaces a managed resource with another ID") {
  State own = StateOf("r"), external = StateOf("r");
  external.external = true;
  CHECK(ChooseRead(nullptr, "x").is<way::Read>());
  CHECK(ChooseRead(Share(own), own.id).is<way::Read>());
  CHECK(ChooseRead(Share(own), "x").is<way::ReadReplacement>());
  CHECK(ChooseRead(Share(external), "x").is<way::Read>());
}

TEST_CASE("a read resource is recorded as external, and a destroy drops it unless it replaced another") {
  DeclaredFields declared;
  declared.type = "pkg:m:Typ";
  declared.inputs = {{"filter", 1}};
  const State draft = DraftOfRead(declared, "x", UrnOf("a"));
  CHECK(draft.external);
  CHECK(draft.custom);
  CHECK(draft.id == "x");
  CHECK(draft.urn == UrnOf("a"));
  CHECK(draft.inputs.Has("filter"));
  const Decision plain = ChooseRead(nullptr, "x"), instead = ChooseRead(Share(StateOf("a")), "x");
  CHECK(ReadOutcome(plain) == RowOutcome::kRead);
  CHECK(ReadOutcome(instead) == RowOutcome::kReplaced);
  CHECK(IsDroppedAtEnd(plain, RunMode::kDestroy));
  CHECK_FALSE(IsDroppedAtEnd(plain, RunMode::kUpdate));
  CHECK_FALSE(IsDroppedAtEnd(plain, RunMode::kRefresh));
  CHECK_FALSE(IsDroppedAtEnd(instead, RunMode::kDestroy));
}

TEST_CASE(
    "a recorded secret output stays secret at the next read, unless its name is an input or was listed as secret") {
  State recorded = StateOf("a"), next = StateOf("a");
  recorded.outputs = {{"made", Value::Secret(Value("m"))}, {"named", Value::Secret(Value("n"))}};
  recorded.additional_secret_outputs = {"named"};
  CHECK(KnownSecrets(recorded, next).Has("made"));
  CHECK_FALSE(KnownSecrets(recorded, next).Has("named"));
  next.inputs = {{"made", "m"}};
  CHECK_FALSE(KnownSecrets(recorded, next).Has("made"));
}

TEST_CASE("a read is unknown without an ID, or in a preview while a dependency is unknown") {
  Rows rows;
  rows.Decide(UrnOf("created"), RowOutcome::kCreated, Because(Rule::kNew));
  rows.Decide(UrnOf("replaced"), RowOutcome::kReplaced, Because(Rule::kForced));
  rows.Decide(UrnOf("updated"), RowOutcome::kUpdated, Because(Rule::kInputsChanged));
  const auto unknown = [&rows](const char* on, bool preview) {
    State draft = StateOf("a");
    draft.dependencies = {UrnOf(on)};
    return IsUnknownYet(draft, preview, rows);
  };
  for (const bool preview : {false, true}) {
    CHECK(unknown("created", preview) == preview);
    CHECK(unknown("replaced", preview) == preview);
    CHECK_FALSE(unknown("updated", preview));
    CHECK_FALSE(unknown("unseen", preview));
  }
  State draft = StateOf("a");
  draft.id = kUnknownString;
  CHECK(IsUnknownYet(draft, false, rows));
}

TEST_CASE("a skipped read is answered with the recorded state") {
  State recorded = StateOf("a");
  recorded.outputs = {{"x", 1}};
  const StatePtr skipped = Share(StateOf("a"));
  CHECK(LastKnown(skipped, nullptr) == skipped);
  CHECK(LastKnown(skipped, Share(recorded))->outputs.Has("x"));
}

TEST_CASE("a resource exists if its read has outputs, and is unknown if these are empty") {
  ReadResponse read;
  CHECK(ExistenceFrom(read) == Existence::kNo);
  read.outputs = PropertyMap();
  CHECK(ExistenceFrom(read) == Existence::kUnknown);
  read.outputs = PropertyMap{{"x", 1}};
  CHECK(ExistenceFrom(read) == Existence::kYes);
}

TEST_CASE("a resource that is only tested for its existence has a reserved name") {
  CHECK(ExistsQueryName(7) == "__exists__7");
  CHECK(IsExistsQuery(Urn::Make("s", "p", "", "pkg:m:Typ", ExistsQueryName(7))));
  CHECK_FALSE(IsExistsQuery(Urn::Make("s", "p", "", "pkg:m:Typ", "exists")));
  CHECK_FALSE(IsExistsQuery(Urn()));
  CHECK_FALSE(IsExistsQuery(Urn("__exists__7")));
}

}  // namespace kingpost::read_rules_test
