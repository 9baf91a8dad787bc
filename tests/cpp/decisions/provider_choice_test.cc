// SPDX-License-Identifier: Apache-2.0
// Checks which provider serves a resource, and which references are good.
#include "decisions/provider_choice.h"

#include <catch2/catch.hpp>

#include "decisions/make_state.h"

namespace kingpost::provider_choice_test {

using namespace plan_test;
using namespace decisions;

const Urn kProvider = UrnOf("p", "pulumi:providers:pkg");

TEST_CASE("the provider that is given comes first, then the one for the package, then the component's") {
  const ProvidersByPackage own = {{"pkg", "own"}}, above = {{"pkg", "above"}, {"other", "above"}};
  CHECK(GivenProvider("given", own, &above, "pkg") == "given");
  CHECK(GivenProvider("", own, &above, "pkg") == "own");
  CHECK(GivenProvider("", own, &above, "other") == "above");
  CHECK(GivenProvider("", own, &above, "third").empty());
  CHECK(GivenProvider("", own, nullptr, "other").empty());
}

TEST_CASE("a parent's provider serves local components and resources of its package") {
  const std::string reference = kProvider.str() + "::id";
  CHECK(ServesChild(reference, "pkg:m:Typ", false));
  CHECK_FALSE(ServesChild(reference, "other:m:Typ", false));
  CHECK(ServesChild(reference, "other:m:Typ", /*is_local_component=*/true));
  CHECK_FALSE(ServesChild("", "pkg:m:Typ", true));
  CHECK_FALSE(ServesChild("no reference", "pkg:m:Typ", false));
}

TEST_CASE("a function gets its parent's provider, if the program chose that and it serves the package") {
  const std::string reference = kProvider.str() + "::id";
  CHECK(ExplicitProviderOf(reference, "pkg") == reference);
  CHECK(ExplicitProviderOf(reference, "other").empty());
  CHECK(ExplicitProviderOf("urn:pulumi:s::p::pulumi:providers:pkg::default_1_0_0::id", "pkg").empty());
  CHECK(ExplicitProviderOf("", "pkg").empty());
}

TEST_CASE("the configuration forbids default providers by name or all of them, but never the built-in one") {
  const auto denied = [](const char* setting, const char* package) {
    return IsDefaultProviderDenied({{"pulumi:disable-default-providers", setting}}, package);
  };
  CHECK_FALSE(*IsDefaultProviderDenied({}, "aws"));
  CHECK_FALSE(*denied("", "aws"));
  CHECK(*denied(R"(["aws"])", "aws"));
  CHECK(*denied(R"(["gcp", " aws\t"])", "aws"));
  CHECK_FALSE(*denied(R"(["gcp"])", "aws"));
  CHECK(*denied(R"(["*"])", "aws"));
  CHECK_FALSE(*denied(R"(["*", "pulumi"])", "pulumi"));
  CHECK(denied("aws", "aws").status().message().find("must be a JSON list") != std::string::npos);
  CHECK(denied(R"(["gcp", 1])", "aws").status().message().find("[1] must be a string") != std::string::npos);
}

TEST_CASE("only the reference of a denied default provider names its package") {
  CHECK(DeniedPackage(DeniedDefaultProvider("aws")) == "aws");
  CHECK(DeniedPackage(kProvider.str() + "::id").empty());
  CHECK(DeniedPackage("no reference").empty());
}

TEST_CASE("a reference must be valid and not denied, and names the recorded provider with its ID") {
  const std::string good = kProvider.str() + "::p-id";
  CHECK_FALSE(WrongReference(good, UrnOf("a")));
  CHECK(WrongReference("no reference", UrnOf("a"))->rfind("bad provider reference 'no reference' for resource", 0) ==
        0);
  CHECK(*WrongReference(DeniedDefaultProvider("aws"), UrnOf("a")) ==
        "Default provider for 'aws' disabled. '" + UrnOf("a").str() + "' must use an explicit provider.");
  State provider = StateOf("p");
  provider.urn = kProvider;
  Rows rows;
  rows.SetBase({Share(provider)});
  CHECK(RecordedProvider(good, rows)->urn == kProvider);
  CHECK(RecordedProvider(kProvider.str() + "::other", rows) == nullptr);
  CHECK(RecordedProvider("no reference", rows) == nullptr);
  CHECK(UnknownProviderText("x", UrnOf("a")) == "unknown provider 'x' for resource '" + UrnOf("a").str() + "'");
}

}  // namespace kingpost::provider_choice_test
