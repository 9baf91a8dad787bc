// SPDX-License-Identifier: Apache-2.0
// Services that always have something more to say: each request comes to an end all the same.
#include <catch2/catch.hpp>

#include "cloud/aws/s3_bucket.h"
#include "cloud/azure/azure_bucket.h"
#include "cloud/fake_io.h"
#include "cloud/gcp/gcs_bucket.h"

namespace kingpost::endless_answers_test {

using testing::FakeEnvironment;
using testing::FakeIo;

struct Bench {
  Bench() : environment({"AWS_", "GOOGLE_", "AZURE_"}) {
    environment.Set("HOME", "/nowhere");
    environment.Set("AWS_ACCESS_KEY_ID", "CANARYKEY");
    environment.Set("AWS_SECRET_ACCESS_KEY", "canary-secret");
    environment.Set("AWS_REGION", "us-east-1");
    environment.Set("GOOGLE_OAUTH_ACCESS_TOKEN", "canary-token");
    environment.Set("AZURE_STORAGE_ACCOUNT", "acme");
    environment.Set("AZURE_STORAGE_KEY", "Y2FuYXJ5");
  }
  // The same answer to every request, but not without end.
  void AnswerAlways(const std::string& body, int times = 3000) {
    for (int i = 0; i < times; ++i) world.Answer(200, body);
  }

  FakeEnvironment environment;
  FakeIo world;
};

void CheckCircle(BlobBucket& bucket, const FakeIo& world, const std::string& url) {
  const Status listed = bucket.List("p/", false).status();
  CHECK(listed.message().find("cannot list " + url) != std::string::npos);
  CHECK(listed.message().find("a page that it has given before") != std::string::npos);
  CHECK(world.requests.size() == 2);
}

TEST_CASE("S3 that gives the same page again and again is not asked for ever", "[cloud]") {
  Bench bench;
  S3Bucket bucket(*S3Options::From("s3://team/sub", bench.world.io()));
  bench.AnswerAlways(
      "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken><Contents>"
      "<Key>sub/p/a</Key></Contents></ListBucketResult>");
  CheckCircle(bucket, bench.world, "s3://team/sub/p/");
}

TEST_CASE("Google's storage that gives the same page again and again is not asked for ever", "[cloud]") {
  Bench bench;
  GcsBucket bucket(*GcsOptions::From("gs://team/sub"), bench.world.io());
  bench.AnswerAlways(R"({"items":[{"name":"sub/p/a"}],"nextPageToken":"t"})");
  CheckCircle(bucket, bench.world, "gs://team/sub/p/");
}

TEST_CASE("Azure that gives the same page again and again is not asked for ever", "[cloud]") {
  Bench bench;
  AzureBucket bucket(*AzureOptions::From("azblob://team/sub"), bench.world.io());
  bench.AnswerAlways(
      "<EnumerationResults><Blobs><Blob><Name>sub/p/a</Name></Blob></Blobs><NextMarker>t</NextMarker>"
      "</EnumerationResults>");
  CheckCircle(bucket, bench.world, "azblob://team/sub/p/");
}

// A part of a listing, told as all of it, looks as if stacks were gone.
TEST_CASE("a listing of S3 that has more but does not say where is no listing", "[cloud]") {
  Bench bench;
  S3Bucket bucket(*S3Options::From("s3://team", bench.world.io()));
  bench.AnswerAlways(
      "<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>p/a</Key></Contents></ListBucketResult>");
  const Status listed = bucket.List("p/", false).status();
  CHECK(listed.message().find("cannot list s3://team/p/") != std::string::npos);
  CHECK(listed.message().find("ListObjectsV2") != std::string::npos);
}

TEST_CASE("a copy within Google's storage goes on while it comes on", "[cloud]") {
  Bench bench;
  GcsBucket bucket(*GcsOptions::From("gs://team"), bench.world.io());
  for (int part = 1; part <= 500; ++part) {
    bench.world.Answer(
        200, R"({"done":false,"rewriteToken":"t","totalBytesRewritten":")" + std::to_string(part * 1000) + "\"}");
  }
  bench.world.Answer(200, R"({"done":true})");
  CHECK(bucket.Copy("a", "b").ok());
  bench.AnswerAlways(R"({"done":false,"rewriteToken":"t","totalBytesRewritten":"1000"})");
  const Status stuck = bucket.Copy("a", "b");
  CHECK(stuck.message().find("cannot copy gs://team/a") != std::string::npos);
  CHECK(bench.world.answers.size() > 2000);
}

}  // namespace kingpost::endless_answers_test
