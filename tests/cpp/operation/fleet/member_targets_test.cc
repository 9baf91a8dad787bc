// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/member_targets.h"

#include <catch2/catch.hpp>

namespace kingpost::fleet::member_targets_test {

TEST_CASE("a target names a member by its stack, project or folder, or is a URN of it", "[fleet]") {
  const MemberNames web = {"web/prod", "web", "apps/web", {}};
  const auto [target, part] = GENERATE(table<std::string, std::string>({
      {"web/prod::**server", "**server"},
      {"web::**server", "**server"},
      {"apps/web::**server", "**server"},
      {"web::urn:pulumi:prod::web::t::a", "urn:pulumi:prod::web::t::a"},
      {"urn:pulumi:prod::web::t::a", "urn:pulumi:prod::web::t::a"},
      {"urn:pulumi:dev::web::t::a", "of another"},
      {"urn:pulumi:prod::net::t::a", "of another"},
      {"net::**server", "of another"},
      {"web/dev::**server", "of another"},
      {"**server", "of another"},
      {"::**server", "of another"},
  }));
  INFO(target);
  CHECK(PartFor(target, web, "prod").value_or("of another") == part);
  CHECK_FALSE(PartFor("::**server", {"web/prod", "web", "", {}}, "prod"));
}

}  // namespace kingpost::fleet::member_targets_test
