// SPDX-License-Identifier: Apache-2.0
// Checks answers of object stores that a proxy has changed.
#include <catch2/catch.hpp>

#include "remote/cloud/aws/s3_bucket.h"
#include "remote/cloud/azure/azure_bucket.h"
#include "remote/cloud/fake_io.h"
#include "remote/cloud/gcp/gcs_bucket.h"

namespace kingpost::version_tag_test {

TEST_CASE("an answer without a version tag is refused", "[cloud]") {
  testing::FakeClouds clouds;
  testing::FakeIo& world = clouds.world;
  S3Bucket amazon(*S3Options::From("s3://team", world.io()));
  AzureBucket azure(*AzureOptions::From("azblob://team"), world.io());
  GcsBucket google(*GcsOptions::From("gs://team?anonymous=true"), world.io());
  for (BlobBucket* bucket : std::initializer_list<BlobBucket*>{&amazon, &azure, &google}) {
    INFO(bucket->printable_url());
    world.Answer(200, "<html>Please log in to this network</html>");
    const Status unread = bucket->Get(".pulumi/a").status();
    CHECK(unread.code() == Code::kUnknown);
    CHECK(unread.message().find("cannot read ") == 0);
    world.Answer(200);
    CHECK_FALSE(bucket->Put(".pulumi/a", "x", PutCondition::IfTag("t"), "text/plain").ok());
  }
}

}  // namespace kingpost::version_tag_test
