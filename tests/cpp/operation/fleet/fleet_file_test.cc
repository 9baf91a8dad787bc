// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/fleet_file.h"

#include <catch2/catch.hpp>

#include "workspace/stack_config.h"

namespace kingpost::fleet::fleet_file_test {

TEST_CASE("kingpost.yaml says which stacks belong together", "[fleet]") {
  const auto file = ParseFleetFile("kingpost.yaml", R"(stack: prod
config: {"aws:region": eu-central-1, size: 3, on: true}
members:
  - network
  - folder: web
    stack: blue
    after: [network]
    groups: [front]
groups: {back: [network, "services/*"]}
)");
  REQUIRE(file.ok());
  CHECK(file->stack == "prod");
  CHECK(file->config ==
        std::map<std::string, std::string>{{"aws:region", "eu-central-1"}, {"size", "3"}, {"on", "true"}});
  REQUIRE(file->members.size() == 2);
  CHECK(file->members[0].folder == "network");
  CHECK(file->members[1].stack == "blue");
  CHECK(file->members[1].after == std::vector<std::string>{"network"});
  CHECK(file->members[1].groups == std::vector<std::string>{"front"});
  CHECK(file->groups.at("back") == std::vector<std::string>{"network", "services/*"});
}

TEST_CASE("mistakes in kingpost.yaml are reported with their line", "[fleet]") {
  const auto [text, error] = GENERATE(table<std::string, std::string>({
      {"- a\n", "k.yaml:1: has to be a map with stack, config, members and groups"},
      {"stack: prod\nmember: [a]\n",
       "k.yaml:2: unknown key 'member'; known keys are stack, config, members and groups"},
      {"members:\n  - stack: x\n", "k.yaml:2: a member needs a folder"},
      {"members:\n  - folder: a\n    needs: [b]\n",
       "k.yaml:3: unknown key 'needs'; known keys are folder, stack, after and groups"},
      {"config:\n  a: [1]\n", "k.yaml:2: has to be a text, a number, true or false"},
  }));
  const auto file = ParseFleetFile("k.yaml", text);
  REQUIRE_FALSE(file.ok());
  CHECK(file.status().message() == error);
}

TEST_CASE("config of kingpost.yaml applies to keys without a value in the stack's settings", "[fleet]") {
  const auto file = ParseFleetFile("k.yaml", "config: {region: west, 'web:size': 3, 'aws:zone': a}\n");
  REQUIRE(file.ok());
  auto settings = StackConfig::Load("/nowhere/Pulumi.prod.yaml", "web");
  REQUIRE(settings.ok());
  REQUIRE(settings->SetText("web:region", "south", false).ok());
  const auto given = ConfigFor(*file, *settings);
  REQUIRE(given.ok());
  CHECK(*given == std::map<std::string, std::string>{{"web:size", "3"}, {"aws:zone", "a"}});
}

}  // namespace kingpost::fleet::fleet_file_test
