// SPDX-License-Identifier: Apache-2.0
// Checks which plugin a provider's inputs ask for, and semantic versions.
#include "model/provider_inputs.h"

#include <catch2/catch.hpp>

#include "model/semver.h"

namespace kingpost::provider_inputs_test {

ProviderPlugin PluginOf(const PropertyMap& inputs) {
  const auto parsed = ParseProviderInputs("pkg", inputs);
  const auto* error = std::get_if<ProviderInputError>(&parsed);
  INFO((error ? error->reason : ""));
  REQUIRE(std::holds_alternative<ProviderPlugin>(parsed));
  return std::get<ProviderPlugin>(parsed);
}

std::string ErrorOf(const PropertyMap& inputs) {
  const auto parsed = ParseProviderInputs("pkg", inputs);
  const auto* error = std::get_if<ProviderInputError>(&parsed);
  return error ? error->property + ": " + error->reason : "";
}

PropertyMap Internal(const char* key, const Value& value) { return {{"__internal", PropertyMap({{key, value}})}}; }

TEST_CASE("a request survives the way through the inputs") {
  ProviderRequest request;
  request.plugin = "base";
  request.version = "1.2.3";
  request.download_url = "https://example.test/p";
  request.checksums["linux-amd64"] = std::string("\x00\xff", 2);
  SECTION("for a plain package") {
    PropertyMap inputs = {{"region", "eu"}};
    SetProviderRequest(&inputs, request);
    const ProviderPlugin plugin = PluginOf(inputs);
    CHECK(plugin.spec.name == "pkg");
    CHECK(plugin.spec.version == "1.2.3");
    CHECK(plugin.spec.download_url == request.download_url);
    CHECK_FALSE(plugin.parameterization);
    CHECK(
        inputs.Find("__internal")->as_object().Find("pluginChecksums")->as_object().Find("linux-amd64")->as_string() ==
        "00ff");
    CHECK(DeepEqual(PluginConfig(inputs), {{"region", "eu"}, {"version", "1.2.3"}}));
  }
  SECTION("for a package made by parameters") {
    request.parameterization = Parameterization{"pkg", "0.5.0", std::string("\x01{", 2)};
    PropertyMap inputs;
    SetProviderRequest(&inputs, request);
    const ProviderPlugin plugin = PluginOf(inputs);
    CHECK(plugin.spec.name == "base");
    CHECK(plugin.spec.version == "1.2.3");
    REQUIRE(plugin.parameterization);
    CHECK(*plugin.parameterization == *request.parameterization);
    CHECK(inputs.Find("version")->as_string() == "0.5.0");
  }
  SECTION("with renamed environment variables") {
    PropertyMap inputs;
    SetEnvVarMappings(&inputs, {{"NEW", "OLD"}});
    CHECK(PluginOf(inputs).spec.env_var_mappings == std::map<std::string, std::string>{{"NEW", "OLD"}});
  }
}

TEST_CASE("states without the reserved key keep the settings beside the configuration") {
  const ProviderPlugin plugin =
      PluginOf({{"pluginDownloadURL", "https://example.test"}, {"version", "v1.2"}, {"name", "n"}});
  CHECK(plugin.spec.download_url == "https://example.test");
  CHECK(plugin.spec.version == "1.2.0");
  CHECK(plugin.spec.name == "pkg");
  CHECK(PluginOf({}).spec.version.empty());
}

TEST_CASE("inputs that ask for nothing sensible are refused by name") {
  CHECK(ErrorOf({{"__internal", "x"}}) == "name: '__internal' must be an object");
  CHECK(ErrorOf(Internal("name", 1)) == "name: 'name' must be a string");
  CHECK(ErrorOf(Internal("name", "")) == "name: 'name' must not be empty");
  CHECK(ErrorOf({{"version", 1}}) == "version: 'version' must be a string");
  CHECK(ErrorOf({{"version", "x"}}).rfind("version: could not parse provider version", 0) == 0);
  CHECK(ErrorOf(Internal("pluginDownloadURL", 1)) == "pluginDownloadURL: 'pluginDownloadURL' must be a string");
  CHECK(ErrorOf(Internal("parameterization", 1)) == "parameter: 'parameterization' must be of type string");
  CHECK(ErrorOf(Internal("parameterization", "!")) == "parameter: could not decode base64 parameter value");
  CHECK(ErrorOf(Internal("parameterization", "AAE=")) == "parameter: must have a 'version' field of type string");
  CHECK(ErrorOf(Internal("envVarMappings", 1)) == "envVarMappings: 'envVarMappings' must be an object");
  CHECK(ErrorOf(Internal("envVarMappings", PropertyMap({{"A", 1}}))) ==
        "envVarMappings: 'envVarMappings[A]' must be a string");
}

TEST_CASE("default providers are named by version and address") {
  ProviderRequest request;
  request.plugin = "pkg";
  CHECK(request.DefaultName() == "default");
  CHECK(request.Key() == "pkg");
  request.version = "1.2.3-alpha.4+build.5";
  CHECK(request.DefaultName() == "default_1_2_3_alpha_4_build_5");
  request.version = "1.2.3";
  request.download_url = "github://api.example.test/o";
  CHECK(request.DefaultName() == "default_1_2_3_github_/api.example.test/o");
  CHECK(request.Key() == "pkg-1.2.3-github://api.example.test/o");
  request.parameterization = Parameterization{"made", "9.0.0", ""};
  CHECK(request.package() == "made");
  CHECK(request.DefaultName() == "default_9_0_0_github_/api.example.test/o");
  CHECK(request.Key() == "made-9.0.0-github://api.example.test/o");
}

TEST_CASE("semantic versions have three numbers") {
  for (const char* text : {"0.0.0", "1.2.3", "10.20.30", "1.0.0-alpha", "1.0.0-alpha.1+b", "1.0.0+b-1", "1.0.0--"}) {
    INFO(text);
    CHECK(IsSemver(text));
    CHECK(TolerantSemver(text) == text);
    CHECK(TolerantSemver("v" + std::string(text)) == text);
  }
  for (const char* text : {"", "1", "1.2", "1.2.3.4", "v1.2.3", "01.2.3", "1.2.x", "1..3", "1.0.0-", "1.0.0+",
                           "1.0.0-a..b", "1.0.0-01", "1.0.0-a_b"}) {
    INFO(text);
    CHECK_FALSE(IsSemver(text));
  }
}

TEST_CASE("short versions are filled up") {
  CHECK(TolerantSemver("1") == "1.0.0");
  CHECK(TolerantSemver("v1.2") == "1.2.0");
  CHECK(TolerantSemver("01.002.3") == "1.2.3");
  for (const char* text : {"", "v", "x", "1.2.3.4", "1.-2", "1.2.3-", "1.2.3+"}) {
    INFO(text);
    CHECK(TolerantSemver(text).empty());
  }
}

// The order of the specification's own examples, and some of ours, from low to high.
TEST_CASE("versions are ordered as the specification says") {
  const std::vector<std::string> rising = {
      "0.9.9",      "1.0.0-1",      "1.0.0-2",       "1.0.0-10",   "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
      "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",       "1.0.1",         "1.2.0",
      "1.10.0",     "2.0.0-x",      "2.0.0",         "10.0.0"};
  for (size_t i = 0; i < rising.size(); ++i) {
    for (size_t j = 0; j < rising.size(); ++j) {
      INFO(rising[i] << " and " << rising[j]);
      const int order = CompareSemver(rising[i], rising[j]);
      CHECK((order < 0) == (i < j));
      CHECK((order > 0) == (i > j));
    }
  }
  CHECK(CompareSemver("1.0.0+a", "1.0.0+b") == 0);
}

}  // namespace kingpost::provider_inputs_test
