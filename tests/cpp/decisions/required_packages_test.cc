// SPDX-License-Identifier: Apache-2.0
// Checks which versions of packages are required, by the program or by the record.
#include "decisions/required_packages.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::required_packages_test {

using namespace plan_test;
using namespace decisions;

RequiredPackage Wanted(const std::string& name, const std::string& version) {
  RequiredPackage package;
  package.kind = "resource";
  package.name = name;
  package.version = version;
  return package;
}

RequiredPackage Parameterized(const std::string& plugin, const std::string& name, const std::string& version) {
  RequiredPackage package = Wanted(plugin, "9.0.0");
  package.parameterization.emplace();
  package.parameterization->name = name;
  package.parameterization->version = version;
  return package;
}

StatePtr Recorded(const std::string& package, const std::string& version) {
  State state = StateOf(package);
  state.type = "pulumi:providers:" + package;
  state.urn = UrnOf(package, state.type);
  SetProviderVersion(&state.inputs, version);
  return Share(std::move(state));
}

TEST_CASE("the highest version of each package counts, and an entry without a version gives way") {
  RequiredPackages required;
  REQUIRE(required
              .Learn({Wanted("pkg", ""), Wanted("pkg", "1.2.0"), Wanted("pkg", "1.10.0"), Wanted("pkg", "1.9.0"),
                      Wanted("pkg", ""), Wanted("other", "3.0.0")},
                     {Recorded("pkg", "7.0.0")})
              .ok());
  CHECK(required.Find("pkg")->version == "1.10.0");
  CHECK(required.Find("other")->version == "3.0.0");
  CHECK(required.Find("third") == nullptr);
}

TEST_CASE("a program that lists no resource packages gets the recorded versions") {
  RequiredPackage language = Wanted("pkg", "9.0.0");
  language.kind = "language";
  RequiredPackages required;
  REQUIRE(required.Learn({language}, {Recorded("pkg", "1.0.0"), Share(StateOf("a"))}).ok());
  CHECK(required.Find("pkg")->version == "1.0.0");
}

TEST_CASE("one package from two plugins is an error, and the version of a parameterized one is that of its parameter") {
  RequiredPackages required;
  REQUIRE(required.Learn({Parameterized("base", "pkg", "1.0.0"), Parameterized("base", "pkg", "2.0.0")}, {}).ok());
  CHECK(required.Find("pkg")->parameterization->version == "2.0.0");
  const Status twice = required.Learn({Wanted("pkg", "1.0.0")}, {});
  CHECK(twice.message() == "package \"pkg\" is provided by more than one plugin: base and pkg; remove one of them");
}

TEST_CASE("a request without a version or URL gets those of the required package") {
  RequiredPackages required;
  RequiredPackage known = Wanted("pkg", "1.0.0");
  known.download_url = "https://here";
  known.checksums = {{"linux", "abc"}};
  REQUIRE(required.Learn({known, Parameterized("base", "sub", "2.0.0")}, {}).ok());
  ProviderRequest request;
  request.plugin = "pkg";
  CHECK(required.Complete(request).version == "1.0.0");
  CHECK(required.Complete(request).download_url == "https://here");
  CHECK(required.Complete(request).checksums.size() == 1);
  request.version = "3.0.0";
  request.download_url = "https://there";
  request.checksums = {{"linux", "def"}, {"darwin", "ghi"}};
  CHECK(required.Complete(request) == request);
  ProviderRequest parameterized;
  parameterized.plugin = "sub";
  CHECK(required.Complete(parameterized).plugin == "base");
  CHECK(required.Complete(parameterized).parameterization->version == "2.0.0");
  ProviderRequest unknown;
  unknown.plugin = "third";
  CHECK(required.Complete(unknown) == unknown);
}

TEST_CASE("OlderPackages names each package recorded in an older version than the program wants") {
  const std::vector<StatePtr> recorded = {Recorded("pkg", "1.0.0"), Recorded("pkg", "2.0.0"),
                                          Recorded("other", "1.0.0"), Share(StateOf("a"))};
  const auto older = OlderPackages(
      {Wanted("pkg", "1.5.0"), Wanted("other", "1.0.0"), Wanted("unrecorded", "9.0.0"), Wanted("pkg", "")}, recorded);
  REQUIRE(older.size() == 1);
  CHECK(older[0].name == "pkg");
  CHECK(older[0].recorded == "1.0.0");
  CHECK(older[0].wanted == "1.5.0");
  const auto packages = RecordedPackages(recorded);
  REQUIRE(packages.size() == 3);
  CHECK(packages[0].name == "pkg");
  CHECK(packages[0].kind == "resource");
  CHECK(packages[0].version == "1.0.0");
}

}  // namespace kingpost::required_packages_test
