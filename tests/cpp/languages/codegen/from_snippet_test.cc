// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/from_snippet.h"

#include <catch2/catch.hpp>
#include <string>

#include "languages/codegen/writers.h"
#include "languages/schema/bind.h"

namespace kingpost::from_snippet_test {

using namespace codegen;

constexpr char kNet[] = R"({"name": "net", "version": "1.0.0",
  "types": {"net:index:Rule": {"type": "object", "properties": {"fromPort": {"type": "integer"},
                                                                "nextHop": {"type": "string"}}}},
  "resources": {
    "net:index:Vpc": {"inputProperties": {"cidr": {"type": "string"}},
                      "properties": {"cidr": {"type": "string"}, "zone": {"type": "string"}},
                      "required": ["cidr", "zone"]},
    "net:index:Subnet": {
      "inputProperties": {
        "vpcId": {"type": "string"}, "note": {"type": "string"}, "sizes": {"type": "array", "items": {"type": "integer"}},
        "tags": {"type": "object", "additionalProperties": {"type": "string"}},
        "rules": {"type": "array", "items": {"$ref": "#/types/net:index:Rule"}}}}}})";

const Packages& Schemas() {
  static const Packages packages = {{"net", *schema::Open("net", kNet)}};
  return packages;
}

pcl::Snippet Subnet(const std::string& code) {
  pcl::Snippet snippet;
  snippet.uuid = "1";
  snippet.name = "frontNet";
  snippet.type = "net:index:Subnet";
  snippet.code = code;
  snippet.package.name = "net";
  snippet.references = {{"main", "urn:pulumi:dev::site::net:index:Vpc::vpc"}};
  return snippet;
}

TEST_CASE("a snippet becomes its resource, after placeholders for its references", "[codegen]") {
  const auto program = ProgramOfSnippet(Subnet(R"(__logicalName = "front"
vpcId = main.id
note = "in ${main.zone}, of ${main.cidr}"
sizes = [1, 2]
tags = { userName = "a" }
rules = [{ fromPort = 80, nextHop = secret(main.cidr) }]
options {
  protect = true
  dependsOn = [main]
  ignoreChanges = [tags.userName, "rules[0]"]
  customTimeouts = { create = "5m" }
}
)"),
                                        Schemas());
  REQUIRE(program.ok());
  CHECK(WritePython(*program) == R"(import pulumi
import pulumi_net as net

# Placeholder for urn:pulumi:dev::site::net:index:Vpc::vpc; replace with the real resource reference in your program.
main = net.Vpc("vpc")

front_net = net.Subnet(
    "front",
    vpc_id=main.id,
    note=pulumi.Output.format("in {0}, of {1}", main.zone, main.cidr),
    sizes=[1, 2],
    tags={"userName": "a"},
    rules=[{"from_port": 80, "next_hop": pulumi.Output.secret(main.cidr)}],
    opts=pulumi.ResourceOptions(
        protect=True,
        depends_on=[main],
        ignore_changes=["tags.userName", "rules[0]"],
        custom_timeouts=pulumi.CustomTimeouts(create="5m"),
    ),
)
)");
  CHECK(WriteTypeScript(*program, ModuleKind::kImport)
            .find("// Placeholder for urn:pulumi:dev::site::net:index:Vpc::vpc;") != std::string::npos);
  CHECK(WriteYaml(*program).find("  # Placeholder for urn:pulumi:dev::site::net:index:Vpc::vpc;") != std::string::npos);
}

TEST_CASE("a computed expression is refused with its place", "[codegen]") {
  struct Case {
    const char* code;
    const char* refused;
  };
  const Case cases[] = {
      {"note = true ? \"a\" : \"b\"\n", "1,8: an expression that is computed"},
      {"sizes = [for x in [1]: x]\n", "an expression that is computed, such as a condition or a loop"},
      {"note = join(\",\", [\"a\"]...)\n", "the function 'join' of a list that is expanded"},
      {"note = lookup({a = \"b\"}, \"a\")\n", "the function 'lookup'"},
      {"note = join(\",\", [\"a\"], [\"b\"])\n", "the function 'join' of so many arguments"},
      {"options {\n  range = 2\n}\n", "2,3: a range"},
      {"vpcId = other.id\n", "'other', which is no reference"},
  };
  for (const Case& c : cases) {
    const auto program = ProgramOfSnippet(Subnet(c.code), Schemas());
    INFO(c.code);
    REQUIRE(!program.ok());
    CHECK(program.status().message().find(c.refused) != std::string::npos);
    CHECK(program.status().message().find("is not written as code") != std::string::npos);
  }
}

TEST_CASE("plugins of languages get the snippet's own text, behind the same placeholders", "[codegen]") {
  CHECK(
      PclOfSnippet(Subnet("note = \"a\"\n")) ==
      R"(# Placeholder for urn:pulumi:dev::site::net:index:Vpc::vpc; replace with the real resource reference in your program.
resource "main" "net:index:Vpc" {
    __logicalName = "vpc"
}

resource "frontNet" "net:index:Subnet" {
note = "a"
}
)");
}

}  // namespace kingpost::from_snippet_test
