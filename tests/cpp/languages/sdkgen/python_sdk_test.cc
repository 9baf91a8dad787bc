// SPDX-License-Identifier: Apache-2.0
// What generated Python looks like where the published SDKs have something of their own.
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

}  // namespace kingpost::python_sdk_test
