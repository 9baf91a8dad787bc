// SPDX-License-Identifier: Apache-2.0
// Checks generated Python where the published SDKs differ from the general rule.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "languages/schema/bind.h"
#include "languages/schema/document.h"
#include "languages/sdkgen/sdk.h"

namespace kingpost::python_sdk_test {

sdkgen::Files Generated(const std::string& text) {
  const auto document = schema::ReadCanonical(text);
  REQUIRE(document.ok());
  const auto package = schema::BindWhole(*document, {});
  REQUIRE(package.ok());
  auto files = sdkgen::PythonSdk(**package, {});
  REQUIRE(files.ok());
  return std::move(*files);
}

bool Holds(const sdkgen::Files& files, const std::string& path, const std::string& text) {
  INFO(path);
  REQUIRE(files.count(path) == 1);
  return files.at(path).find(text) != std::string::npos;
}

constexpr char kNetwork[] = R"({"name": "net", "version": "1.0.0", "functions": {"net:index:getPublicIPs": {
    "inputs": {"properties": {"group": {"type": "string"}, "tag": {"type": "string"},
                              "any": {"$ref": "pulumi.json#/Any"}}, "required": ["group"]},
    "outputs": {"properties": {"ips": {"type": "array", "items": {"type": "string"}}}}}}})";

TEST_CASE("a function keeps the name that the published SDK has", "[sdkgen]") {
  const auto files = Generated(kNetwork);
  CHECK(Holds(files, "pulumi_net/get_public_i_ps.py", "def get_public_i_ps(any: "));
  CHECK(Holds(files, "pulumi_net/__init__.py", "from .get_public_i_ps import *"));
}

TEST_CASE("an argument that a function does not need is optional twice where outputs are taken", "[sdkgen]") {
  const auto files = Generated(kNetwork);
  const std::string path = "pulumi_net/get_public_i_ps.py";
  CHECK(Holds(files, path, "tag: Optional[_builtins.str] = None"));
  CHECK(Holds(files, path, "group: pulumi.Input[Optional[_builtins.str]] = None"));
  CHECK(Holds(files, path, "tag: pulumi.Input[Optional[Optional[_builtins.str]]] = None"));
  CHECK(Holds(files, path, "any: pulumi.Input[Optional[Optional[Any]]] = None"));
}

TEST_CASE("a custom resource class has exists(), and components and providers have none", "[sdkgen]") {
  const auto files = Generated(R"({"name": "net", "version": "1.0.0", "provider": {}, "resources": {
      "net:index:Host": {"stateInputs": {"properties": {"zoneId": {"type": "string"}}}},
      "net:index:Group": {"isComponent": true}}})");
  const std::string path = "pulumi_net/host.py";
  CHECK(Holds(files, path, "def exists(id: pulumi.Input[str],"));
  CHECK(Holds(files, path, "zone_id: pulumi.Input[Optional[_builtins.str]] = None) -> pulumi.Output[bool]:"));
  CHECK(Holds(files, path, "__props__['zoneId'] = zone_id"));
  CHECK(Holds(files, path, "pulumi.runtime.exists_resource(None, 'net:index:Host', id, __props__, opts or "));
  CHECK_FALSE(Holds(files, "pulumi_net/group.py", "exists"));
  CHECK_FALSE(Holds(files, "pulumi_net/provider.py", "exists"));
  CHECK(Holds(files, "setup.py", R"(install_requires=["packaging>=24.0", "pulumi>=3.269.0,<4.0.0", "semver>=2.8.1")"));
}

TEST_CASE("outputs of a union keep its classes if their values can be distinguished, and are valid inputs",
          "[sdkgen]") {
  const auto files = Generated(R"({"name": "net", "version": "1.0.0", "types": {
      "net:index:Round": {"type": "object", "properties": {"radius": {"type": "number"}}, "required": ["radius"]},
      "net:index:Square": {"type": "object", "properties": {"side": {"type": "number"}}, "required": ["side"]}},
    "resources": {"net:index:Shape": {
      "inputProperties": {"form": {"oneOf": [{"$ref": "#/types/net:index:Round"}, {"$ref": "#/types/net:index:Square"}]}},
      "properties": {"form": {"oneOf": [{"$ref": "#/types/net:index:Round"}, {"$ref": "#/types/net:index:Square"}]},
                     "size": {"oneOf": [{"type": "integer"}, {"type": "number"}]}}}}})");
  const std::string path = "pulumi_net/shape.py";
  CHECK(Holds(files, path, "def form(self) -> pulumi.Output[Optional[Union['outputs.Round', 'outputs.Square']]]:"));
  CHECK(Holds(files, path, "def size(self) -> pulumi.Output[Optional[Any]]:"));
  CHECK(Holds(files, path, "Union['RoundArgs', 'RoundArgsDict', 'outputs.Round']"));
  CHECK(Holds(files, path, "from . import outputs"));
}

TEST_CASE("descriptions that refer to the provider name its class", "[sdkgen]") {
  const auto files = Generated(R"({"name": "net", "version": "1.0.0", "provider": {}, "resources": {"net:index:Host": {
      "inputProperties": {"zone": {"type": "string", "description":
          "As {{% ref #/provider %}} has it in {{% ref #/provider/inputProperties/homeZone %}}; {{% ref #/nothing %}}"}}}}})");
  CHECK(Holds(files, "pulumi_net/host.py", "As `Provider` has it in `ProviderArgs.home_zone`; #/nothing"));
}

}  // namespace kingpost::python_sdk_test
