// SPDX-License-Identifier: Apache-2.0
// Checks when a migration must not change anything.
#include "decisions/migration_limits.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::migration_limits_test {

using namespace plan_test;
using namespace decisions;

const Urn kRoot = UrnOf("root"), kA = UrnOf("a"), kB = UrnOf("b");

struct Given {
  Operation operation;
  SelectionOptions selection;
  std::shared_ptr<Snapshot> base = std::make_shared<Snapshot>();

  std::string Text() {
    operation.base = base;
    const std::string prefix = "state migration for " + kRoot.str();
    const std::string text = CheckMigrationAllowed(kRoot, operation, Selection(selection), {{kA, kB}}).message();
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  }
};

TEST_CASE("a migration is refused in a run that follows or saves a plan") {
  Given free, held, made, previewed;
  held.operation.options.plan_json = "{}";
  made.operation.options.preview = made.operation.options.save_plan = true;
  previewed.operation.options.preview = true;
  CHECK(free.Text() == "");
  CHECK(previewed.Text() == "");
  CHECK(held.Text() == " cannot change state while applying an update plan; run the update without the plan");
  CHECK(made.Text() == " cannot change state while generating an update plan; run the update without a plan");
}

TEST_CASE("an update of a part of the stack is refused") {
  for (auto field : {&SelectionOptions::targets, &SelectionOptions::excludes, &SelectionOptions::replaces,
                     &SelectionOptions::target_replaces}) {
    Given given;
    (given.selection.*field) = {kA.str()};
    CHECK(given.Text() ==
          " cannot change state during a targeted or excluded update; run a full 'pulumi up' without --target, "
          "--exclude, or --replace");
  }
}

TEST_CASE("pending operations must be resolved first") {
  Given given;
  given.base->pending_operations = {{Share(StateOf("x")), OperationType::kCreating}};
  CHECK(given.Text() ==
        " cannot change state while the snapshot has 1 pending operation(s); resolve them before migrating " +
            kRoot.str() + ", by running 'pulumi refresh'");
}

TEST_CASE("a snippet that refers to a removed resource is refused") {
  Given other, named;
  other.base->snippets_json = R"([{"uuid":"u","references":{"x":")" + kB.str() + R"("}},{"uuid":"v"}])";
  named.base->snippets_json = R"([{"uuid":"u","references":{"x":")" + kA.str() + R"("}}])";
  CHECK(other.Text() == "");
  CHECK(named.Text() == " cannot rewrite snippet \"u\" reference \"x\" from " + kA.str() + " to " + kB.str() +
                            "; remove or update the persisted snippet before migrating " + kRoot.str());
}

}  // namespace kingpost::migration_limits_test
