// SPDX-License-Identifier: Apache-2.0
// Checks generated TypeScript where it differs from the general rule.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "languages/schema/bind.h"
#include "languages/schema/document.h"
#include "languages/sdkgen/sdk.h"

namespace kingpost::node_sdk_test {

TEST_CASE("descriptions in TypeScript that refer to the provider name its class", "[sdkgen]") {
  const auto document = schema::ReadCanonical(R"({"name": "net", "version": "1.0.0", "provider": {}, "resources": {
      "net:index:Host": {"inputProperties": {"zone": {"type": "string", "description":
          "As {{% ref #/provider %}} has it in {{% ref #/provider/inputProperties/homeZone %}}; {{% ref #/nothing %}}"}}}}})");
  REQUIRE(document.ok());
  const auto package = schema::BindWhole(*document, {});
  REQUIRE(package.ok());
  const auto files = sdkgen::NodeSdk(**package, {});
  REQUIRE(files.ok());
  REQUIRE(files->count("host.ts") == 1);
  CHECK(files->at("host.ts").find("* As `Provider` has it in `ProviderArgs.homeZone`; #/nothing\n") !=
        std::string::npos);
}

}  // namespace kingpost::node_sdk_test
