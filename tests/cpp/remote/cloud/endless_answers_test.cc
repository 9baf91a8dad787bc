// SPDX-License-Identifier: Apache-2.0
// Checks that each request ends even if a service never stops answering.
#include <catch2/catch.hpp>

#include "remote/cloud/aws/s3_bucket.h"
#include "remote/cloud/azure/azure_bucket.h"
#include "remote/cloud/fake_io.h"
#include "remote/cloud/gcp/gcs_bucket.h"

namespace kingpost::endless_answers_test {

using testing::FakeClouds;
using testing::FakeIo;

void CheckCircle(BlobBucket& bucket, const FakeIo& world, const std::string& url) {
  const Status listed = bucket.List("p/", false).status();
  CHECK(listed.message().find("cannot list " + url) != std::string::npos);
  CHECK(listed.message().find("a page that it has given before") != std::string::npos);
  CHECK(world.requests.size() == 2);
}

TEST_CASE("S3 that gives the same page again and again is not asked for ever", "[cloud]") {
  FakeClouds clouds;
  S3Bucket bucket(*S3Options::From("s3://team/sub", clouds.world.io()));
  clouds.AnswerAlways(
      "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken><Contents>"
      "<Key>sub/p/a</Key></Contents></ListBucketResult>");
  CheckCircle(bucket, clouds.world, "s3://team/sub/p/");
}

TEST_CASE("Google's storage that gives the same page again and again is not asked for ever", "[cloud]") {
  FakeClouds clouds;
  GcsBucket bucket(*GcsOptions::From("gs://team/sub"), clouds.world.io());
  clouds.AnswerAlways(R"({"items":[{"name":"sub/p/a"}],"nextPageToken":"t"})");
  CheckCircle(bucket, clouds.world, "gs://team/sub/p/");
}

TEST_CASE("Azure that gives the same page again and again is not asked for ever", "[cloud]") {
  FakeClouds clouds;
  AzureBucket bucket(*AzureOptions::From("azblob://team/sub"), clouds.world.io());
  clouds.AnswerAlways(
      "<EnumerationResults><Blobs><Blob><Name>sub/p/a</Name></Blob></Blobs><NextMarker>t</NextMarker>"
      "</EnumerationResults>");
  CheckCircle(bucket, clouds.world, "azblob://team/sub/p/");
}

// If the bucket passed a part of a listing off as the whole, stacks would seem to be gone.
TEST_CASE("a listing of S3 that has more but does not say where is no listing", "[cloud]") {
  FakeClouds clouds;
  S3Bucket bucket(*S3Options::From("s3://team", clouds.world.io()));
  clouds.AnswerAlways(
      "<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>p/a</Key></Contents></ListBucketResult>");
  const Status listed = bucket.List("p/", false).status();
  CHECK(listed.message().find("cannot list s3://team/p/") != std::string::npos);
  CHECK(listed.message().find("ListObjectsV2") != std::string::npos);
}

TEST_CASE("a copy within Google's storage goes on while it comes on", "[cloud]") {
  FakeClouds clouds;
  GcsBucket bucket(*GcsOptions::From("gs://team"), clouds.world.io());
  for (int part = 1; part <= 500; ++part) {
    clouds.world.Answer(
        200, R"({"done":false,"rewriteToken":"t","totalBytesRewritten":")" + std::to_string(part * 1000) + "\"}");
  }
  clouds.world.Answer(200, R"({"done":true})");
  CHECK(bucket.Copy("a", "b").ok());
  clouds.AnswerAlways(R"({"done":false,"rewriteToken":"t","totalBytesRewritten":"1000"})");
  const Status stuck = bucket.Copy("a", "b");
  CHECK(stuck.message().find("cannot copy gs://team/a") != std::string::npos);
  CHECK(clouds.world.answers.size() > 2000);
}

}  // namespace kingpost::endless_answers_test
