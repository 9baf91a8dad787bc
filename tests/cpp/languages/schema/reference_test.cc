// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "languages/schema/token.h"

namespace kingpost::reference_test {

using schema::ParseReference;
using schema::Reference;

TEST_CASE("a reference names a section and a token, and maybe another package", "[schema]") {
  struct Row {
    const char* text;
    const char* package;
    const char* version;
    Reference::Section section;
    const char* token;
  };
  const Row row = GENERATE(
      values<Row>({{"#/types/aws:s3:Rule", "", "", Reference::Section::kTypes, "aws:s3:Rule"},
                   {"#/types/aws:s3%2Frule:Rule", "", "", Reference::Section::kTypes, "aws:s3/rule:Rule"},
                   {"#/resources/aws:s3/bucket:Bucket", "", "", Reference::Section::kResources, "aws:s3/bucket:Bucket"},
                   {"#/provider", "", "", Reference::Section::kProvider, ""},
                   {"/aws/v4.36.0/schema.json#/types/a:b:C", "aws", "4.36.0", Reference::Section::kTypes, "a:b:C"},
                   {"/random/v4/schema.json#/provider", "random", "4.0.0", Reference::Section::kProvider, ""}}));
  const auto read = ParseReference(row.text);
  INFO(row.text);
  REQUIRE(read.ok());
  CHECK(read->package == row.package);
  CHECK(read->version == row.version);
  CHECK(read->section == row.section);
  CHECK(read->token == row.token);
}

TEST_CASE("an invalid reference is refused with its reason", "[schema]") {
  CHECK(ParseReference("#/things/a:b:C").status().message() == "invalid type reference '#/things/a:b:C'");
  CHECK(ParseReference("#/provider/x").status().message() == "invalid provider reference '#/provider/x'");
  CHECK(ParseReference("/aws/4/schema.json#/provider").status().message() ==
        "failed to parse path '/aws/4/schema.json'");
  CHECK(ParseReference("/aws/vfour/schema.json#/provider").status().message() ==
        "failed to parse package version 'vfour'");
}

}  // namespace kingpost::reference_test
