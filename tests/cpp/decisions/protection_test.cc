// SPDX-License-Identifier: Apache-2.0
// Checks which steps protection forbids.
#include "decisions/protection.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::protection_test {

using namespace plan_test;
using namespace decisions;

State Guarded(const std::string& name, bool is_protected = true) {
  State state = StateOf(name);
  state.protect = is_protected;
  return state;
}

TEST_CASE("a replacement is refused if the resource was protected and still is") {
  for (const bool before : {false, true}) {
    for (const bool after : {false, true}) {
      CHECK(ProtectedFromReplacement(Guarded("a", before), Guarded("a", after), false).has_value() ==
            (before && after));
      CHECK_FALSE(ProtectedFromReplacement(Guarded("a", before), Guarded("a", after), /*ignored=*/true));
    }
  }
  const auto text = ProtectedFromReplacement(Guarded("a"), Guarded("a"), false);
  CHECK(text->rfind("unable to replace resource \"" + UrnOf("a").str() + "\"\nas it is currently", 0) == 0);
}

TEST_CASE("a delete is refused if the record has the resource protected, unless it belongs to a replacement") {
  for (const bool is_protected : {false, true}) {
    const StatePtr recorded = Share(Guarded("a", is_protected));
    CHECK(ProtectedFromDelete(*Delete(recorded), false).has_value() == is_protected);
    CHECK_FALSE(ProtectedFromDelete(*Delete(recorded), /*ignored=*/true));
    CHECK_FALSE(ProtectedFromDelete(*DeleteReplaced(recorded, AfterStep::kSuperseded), false));
  }
  const auto text = ProtectedFromDelete(*Delete(Share(Guarded("a"))), false);
  CHECK(text->find("`pulumi state unprotect '" + UrnOf("a").str() + "'`") != std::string::npos);
}

TEST_CASE("the last of several protected dependents is named, and none that is gone") {
  const StatePtr first = Share(Guarded("b")), last = Share(Guarded("c")), plain = Share(StateOf("d"));
  Rows rows;
  rows.SetBase({first, last, plain});
  const std::vector<Condemned> going = {{first, {}, nullptr}, {last, {}, nullptr}, {plain, {}, nullptr}};
  const auto names = [&](const StatePtr& state) {
    const auto text = ProtectedDependent(UrnOf("a"), going, rows, false);
    return text && text->find("\"" + state->urn.str() + "\" as part of replacing") != std::string::npos;
  };
  CHECK(names(last));
  CHECK_FALSE(ProtectedDependent(UrnOf("a"), going, rows, /*ignored=*/true));
  rows.MarkDeletedFirst(last, {}, nullptr);
  CHECK(names(first));
  rows.MarkPendingDelete(first);
  CHECK_FALSE(ProtectedDependent(UrnOf("a"), going, rows, false));
}

}  // namespace kingpost::protection_test
