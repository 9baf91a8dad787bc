// SPDX-License-Identifier: Apache-2.0
#include "model/urn.h"

#include <catch2/catch.hpp>

namespace kingpost {

TEST_CASE("a URN is made of its parts and gives them back", "[model]") {
  const Urn urn = Urn::Make("dev", "shop", "my:comp:A$my:comp:B", "aws:s3/bucket:Bucket", "logs::2024$x");
  REQUIRE(urn.str() == "urn:pulumi:dev::shop::my:comp:A$my:comp:B$aws:s3/bucket:Bucket::logs::2024$x");
  CHECK(urn.valid());
  CHECK(urn.stack() == "dev");
  CHECK(urn.project() == "shop");
  CHECK(urn.qualified_type() == "my:comp:A$my:comp:B$aws:s3/bucket:Bucket");
  CHECK(urn.type() == "aws:s3/bucket:Bucket");
  CHECK(urn.name() == "logs::2024$x");
  CHECK(urn.Rename("n").str() == "urn:pulumi:dev::shop::my:comp:A$my:comp:B$aws:s3/bucket:Bucket::n");
  CHECK(urn.RenameStack("prod").stack() == "prod");
  CHECK(urn.RenameProject("p").RenameProject("shop") == urn);
}

TEST_CASE("the root stack leaves no type in its children's URNs", "[model]") {
  CHECK(Urn::Make("s", "p", kRootStackType, "a:b:C", "n") == Urn::Make("s", "p", "", "a:b:C", "n"));
}

TEST_CASE("a URN needs the prefix and three delimiters", "[model]") {
  for (const char* text : {"urn:pulumi:s::p::t::n", "urn:pulumi:::::::", "urn:pulumi:s::p::t::"}) {
    CHECK(Urn(text).valid());
  }
  for (const char* text : {"urn:pulumi:s::p::t", "urn:aws:s::p::t::n", "x", "urn:pulumi:"}) {
    CHECK_FALSE(Urn(text).valid());
    CHECK(Urn::Parse(text).status().message() == "invalid URN \"" + std::string(text) + "\"");
  }
  CHECK(Urn::Parse("").status().message() == "missing required URN");
  CHECK(Urn("no urn at all").name().empty());
}

TEST_CASE("type tokens are checked and taken apart", "[model]") {
  CHECK(IsValidTypeToken("a:b:C"));
  CHECK(IsValidTypeToken("::"));
  CHECK_FALSE(IsValidTypeToken("a:C"));
  CHECK(PackageOfType("aws:s3/bucket:Bucket") == "aws");
  CHECK(IsProviderType("pulumi:providers:aws"));
  CHECK_FALSE(IsProviderType("pulumi:providers:"));
  CHECK_FALSE(IsProviderType("pulumi:provider:aws"));
  CHECK(ProviderPackage("pulumi:providers:aws") == "aws");
  CHECK(MakeProviderType("aws") == "pulumi:providers:aws");
  CHECK(IsDefaultProviderUrn(Urn::Make("s", "p", "", "pulumi:providers:aws", "default_6_1_0")));
  CHECK_FALSE(IsDefaultProviderUrn(Urn::Make("s", "p", "", "pulumi:providers:aws", "mine")));
}

TEST_CASE("a provider reference splits at its last delimiter", "[model]") {
  const std::string text = "urn:pulumi:s::p::pulumi:providers:aws::a::b::some-id";
  const auto reference = ProviderReference::Parse(text);
  REQUIRE(reference.ok());
  CHECK(reference->urn.name() == "a::b");
  CHECK(reference->id == "some-id");
  CHECK(reference->str() == text);

  CHECK(ProviderReference::Parse("x").status().message() == "expected '::' in provider reference 'x'");
  CHECK(ProviderReference::Parse("urn:pulumi:s::p::aws:x:Y::n::id").status().message() ==
        "invalid module in type: expected 'pulumi:providers', got 'aws:x'");
  CHECK(ProviderReference::Parse("a::b").status().message() == "a is not a valid URN");
}

}  // namespace kingpost
