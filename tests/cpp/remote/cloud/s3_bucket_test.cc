// SPDX-License-Identifier: Apache-2.0
// Checks requests to S3 and the use of its answers. With servers: bucket_contract_test.cc.
#include "remote/cloud/aws/s3_bucket.h"

#include <catch2/catch.hpp>

#include "remote/cloud/fake_io.h"

namespace kingpost::s3_bucket_test {

using testing::FakeEnvironment;
using testing::FakeIo;
using testing::HeaderIn;

struct Bench {
  Bench() : environment({"AWS_"}) {
    environment.Set("HOME", "/nowhere");
    environment.Set("AWS_ACCESS_KEY_ID", "CANARYKEY");
    environment.Set("AWS_SECRET_ACCESS_KEY", "canary-secret");
    environment.Set("AWS_SESSION_TOKEN", "canary-token");
    environment.Set("AWS_REGION", "us-east-1");
  }
  std::unique_ptr<S3Bucket> Open(const std::string& url) {
    Result<S3Options> options = S3Options::From(url, world.io());
    INFO(options.status().message());
    REQUIRE(options.ok());
    return std::make_unique<S3Bucket>(std::move(*options));
  }

  FakeEnvironment environment;
  FakeIo world;
};

struct Place {
  std::string url, endpoint, path_base;
};

TEST_CASE("parameters of the URL say how a bucket is reached", "[cloud]") {
  Bench bench;
  for (const Place& row : std::vector<Place>{
           {"s3://team", "https://team.s3.us-east-1.amazonaws.com", "/"},
           {"s3://team?region=eu-west-1", "https://team.s3.eu-west-1.amazonaws.com", "/"},
           {"s3://team?region=cn-north-1", "https://team.s3.cn-north-1.amazonaws.com.cn", "/"},
           {"s3://a.b", "https://s3.us-east-1.amazonaws.com", "/a.b/"},
           {"s3://team?use_path_style=true", "https://s3.us-east-1.amazonaws.com", "/team/"},
           {"s3://team?s3ForcePathStyle=1", "https://s3.us-east-1.amazonaws.com", "/team/"},
           {"s3://team?dualstack=true", "https://team.s3.dualstack.us-east-1.amazonaws.com", "/"},
           {"s3://team?fips=true", "https://team.s3-fips.us-east-1.amazonaws.com", "/"},
           {"s3://team?fips=true&dualstack=true", "https://team.s3-fips.dualstack.us-east-1.amazonaws.com", "/"},
           {"s3://team?accelerate=true", "https://team.s3-accelerate.amazonaws.com", "/"},
           {"s3://team?accelerate=true&dualstack=true", "https://team.s3-accelerate.dualstack.amazonaws.com", "/"},
           {"s3://team?endpoint=127.0.0.1:9000&disableSSL=true", "http://127.0.0.1:9000", "/team/"},
           {"s3://team?endpoint=minio.acme.com", "https://team.minio.acme.com", "/"},
           {"s3://team?endpoint=https://minio.acme.com/&hostname_immutable=true", "https://minio.acme.com", "/team/"},
           {"s3://team?endpoint=http://acme.com/s3", "http://acme.com", "/s3/team/"},
           {"s3://team?endpoint=acme.com&disable_https=true", "http://team.acme.com", "/"},
           {"s3://team?endpoint=https://minio.acme.com&disableSSL=true", "https://team.minio.acme.com", "/"}}) {
    INFO(row.url);
    const Result<S3Options> options = S3Options::From(row.url, bench.world.io());
    REQUIRE(options.ok());
    CHECK(options.value().endpoint == row.endpoint);
    CHECK(options.value().path_base == row.path_base);
  }
  bench.environment.Set("AWS_ENDPOINT_URL", "http://127.0.0.1:1");
  bench.environment.Set("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:2/");
  CHECK(S3Options::From("s3://team", bench.world.io())->endpoint == "http://127.0.0.1:2");
  CHECK(S3Options::From("s3://team?endpoint=http://127.0.0.1:3", bench.world.io())->endpoint == "http://127.0.0.1:3");
}

TEST_CASE("URLs that cannot be meant are refused by name", "[cloud]") {
  Bench bench;
  for (const auto& [url, part] : std::vector<std::pair<std::string, std::string>>{
           {"s3://team?zone=x", "unknown query parameter \"zone\""},
           {"s3://", "names no bucket"},
           {"s3://me:canary-secret@team", "has a user in it"},
           {"s3://team?fips=perhaps", "invalid value for parameter \"fips\""},
           {"s3://team?ssetype=rot13", "\"ssetype\""},
           {"s3://team?request_checksum_calculation=never", "\"request_checksum_calculation\""},
           {"s3://team?rate_limiter_capacity=many", "expected a number"}}) {
    INFO(url);
    const Result<S3Options> options = S3Options::From(url, bench.world.io());
    REQUIRE_FALSE(options.ok());
    CHECK(options.status().code() == Code::kInvalidArgument);
    CHECK(options.status().message().find(part) != std::string::npos);
    CHECK(options.status().message().find("canary") == std::string::npos);
  }
  bench.environment.Set("AWS_REGION", "");
  CHECK(S3Options::From("s3://team", bench.world.io()).status().message().find("AWS_REGION") != std::string::npos);
}

TEST_CASE("a put says its condition, its type and how it is encrypted", "[cloud]") {
  Bench bench;
  const auto bucket =
      bench.Open("s3://team/sub?ssetype=aws:kms&kmskeyid=k1&request_checksum_calculation=when_supported");
  bench.world.Answer(200, "", {{"etag", "\"e1\""}});
  bench.world.Answer(200, "", {{"etag", "\"e2\""}});
  CHECK(bucket->Put("a+b", "text", PutCondition::IfAbsent(), "text/plain").value() == "\"e1\"");
  CHECK(bucket->Put("a+b", "text", PutCondition::IfTag("\"e1\""), "text/plain").value() == "\"e2\"");
  const HttpRequest &first = bench.world.requests[0], &second = bench.world.requests[1];
  CHECK(first.url == "https://team.s3.us-east-1.amazonaws.com/sub/a%2Bb");
  CHECK(HeaderIn(first, "If-None-Match") == "*");
  CHECK(HeaderIn(second, "If-Match") == "\"e1\"");
  CHECK(HeaderIn(first, "x-amz-server-side-encryption") == "aws:kms");
  CHECK(HeaderIn(first, "x-amz-server-side-encryption-aws-kms-key-id") == "k1");
  CHECK(HeaderIn(first, "x-amz-checksum-sha256") == "mC2ePrmW9VnmM/TRlN7zdh2Qn1o7ZH0ahR/q1nwyydE=");
}

TEST_CASE("a condition that is not met is a lost race", "[cloud]") {
  Bench bench;
  const auto bucket = bench.Open("s3://team");
  bench.world.Answer(412);
  bench.world.Answer(200, "theirs", {{"etag", "\"e1\""}});
  CHECK(bucket->Put("k", "x", PutCondition::IfAbsent(), "t").status().code() == Code::kFailedPrecondition);
  for (int i = 0; i < 2; ++i) bench.world.Answer(404, "<Error><Code>NoSuchKey</Code></Error>");
  CHECK(bucket->Put("k", "x", PutCondition::IfTag("t"), "t").status().code() == Code::kFailedPrecondition);
  CHECK(bench.world.requests.size() == 4);
}

TEST_CASE("a conditional put that lost to its own first try succeeds", "[cloud]") {
  Bench bench;
  const auto bucket = bench.Open("s3://team");
  bench.world.Fail();  // stored, but the answer did not come
  bench.world.Answer(412);
  bench.world.Answer(200, "mine", {{"etag", "\"e1\""}});
  CHECK(bucket->Put("k", "mine", PutCondition::IfAbsent(), "t").value() == "\"e1\"");
  bench.world.Answer(412);  // stored, and sent again by a proxy on the way
  bench.world.Answer(200, "mine", {{"etag", "\"e2\""}});
  CHECK(bucket->Put("k", "mine", PutCondition::IfTag("\"e1\""), "t").value() == "\"e2\"");
  bench.world.Fail();
  bench.world.Answer(412);
  bench.world.Answer(200, "theirs", {{"etag", "\"e3\""}});
  CHECK(bucket->Put("k", "mine", PutCondition::IfAbsent(), "t").status().code() == Code::kFailedPrecondition);
}

TEST_CASE("conflicts and throttling are asked again", "[cloud]") {
  Bench bench;
  const auto bucket = bench.Open("s3://team");
  bench.world.Answer(409, "<Error><Code>ConditionalRequestConflict</Code></Error>");
  bench.world.Answer(503, "<Error><Code>SlowDown</Code></Error>");
  bench.world.Answer(400, "<Error><Code>RequestTimeout</Code></Error>");
  bench.world.Answer(200, "", {{"etag", "\"e\""}});
  CHECK(bucket->Put("k", "x", PutCondition::IfAbsent(), "t").ok());
  CHECK(bench.world.slept_ms.size() == 3);
}

TEST_CASE("credentials that expire in the middle are read again", "[cloud]") {
  Bench bench;
  const auto bucket = bench.Open("s3://team");
  bench.world.Answer(404);
  CHECK(bucket->Get("k").ok());
  bench.environment.Set("AWS_ACCESS_KEY_ID", "RENEWED");
  bench.world.Answer(400, "<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>");
  bench.world.Answer(404);
  CHECK(bucket->Get("k").ok());
  CHECK(HeaderIn(bench.world.requests.back(), "Authorization").find("Credential=RENEWED/") != std::string::npos);
  bench.world.Answer(400, "<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>");
  const Status expired = bucket->Get("k").status();
  CHECK(expired.code() == Code::kUnauthenticated);
  CHECK(expired.message().find("log in again") != std::string::npos);
}

TEST_CASE("a clock that is wrong is corrected by the service's", "[cloud]") {
  Bench bench;
  const auto bucket = bench.Open("s3://team");
  bench.world.Answer(403, "<Error><Code>RequestTimeTooSkewed</Code></Error>",
                     {{"date", "Sun, 30 Aug 2015 14:36:00 GMT"}});
  bench.world.Answer(404);
  CHECK(bucket->Get("k").ok());
  CHECK(HeaderIn(bench.world.requests.back(), "X-Amz-Date") == "20150830T143600Z");
}

TEST_CASE("a listing goes through all pages and comes back below the root", "[cloud]") {
  Bench bench;
  const auto bucket = bench.Open("s3://team/sub");
  bench.world.Answer(200,
                     "<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>"
                     "<NextContinuationToken>a/b+c=</NextContinuationToken><Contents><Key>sub/p/b%2B+1</Key>"
                     "<Size>3</Size><LastModified>2015-08-30T12:36:00.000Z</LastModified></Contents>"
                     "</ListBucketResult>");
  bench.world.Answer(200,
                     "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>sub/p/a&amp;b</Key>"
                     "<Size>4</Size></Contents><Contents><Key>sub/not-asked-for</Key></"
                     "Contents><CommonPrefixes><Prefix>sub/p/x/</Prefix></CommonPrefixes>"
                     "</ListBucketResult>");
  const Result<std::vector<BlobInfo>> found = bucket->List("p/", true);
  REQUIRE(found.ok());
  REQUIRE(found.value().size() == 2);
  CHECK(found.value()[0].key == "p/a&b");
  CHECK(found.value()[1].key == "p/b+ 1");
  CHECK(found.value()[1].size == 3);
  CHECK(found.value()[1].modified_ms == 1'440'938'160'000);
  CHECK(bench.world.requests[0].url ==
        "https://team.s3.us-east-1.amazonaws.com/?delimiter=%2F&encoding-type=url&"
        "list-type=2&max-keys=1000&prefix=sub%2Fp%2F");
  CHECK(bench.world.requests[1].url.find("continuation-token=a%2Fb%2Bc%3D") != std::string::npos);
}

TEST_CASE("a copy that is refused is made by reading and writing", "[cloud]") {
  Bench bench;
  const auto bucket = bench.Open("s3://team");
  bench.world.Answer(200, "<CopyObjectResult/>");
  CHECK(bucket->Copy("a b", "c").ok());
  CHECK(HeaderIn(bench.world.requests[0], "x-amz-copy-source") == "team/a%20b");
  for (const auto& [status, body] :
       std::vector<std::pair<int, std::string>>{{501, "<Error><Code>NotImplemented</Code></Error>"},
                                                {403, "<Error><Code>AccessDenied</Code></Error>"},
                                                {200, "<Error><Code>InternalServerError</Code></Error>"}}) {
    bench.world.Answer(status, body);
    bench.world.Answer(200, "bytes", {{"etag", "\"e\""}, {"content-type", "text/x"}});
    bench.world.Answer(200, "", {{"etag", "\"f\""}});
    CHECK(bucket->Copy("a", "b").ok());
    CHECK(bench.world.requests.back().body == "bytes");
    CHECK(HeaderIn(bench.world.requests.back(), "Content-Type") == "text/x");
  }
  bench.world.Answer(404, "<Error><Code>NoSuchKey</Code></Error>");
  CHECK(bucket->Copy("a", "b").code() == Code::kNotFound);
}

TEST_CASE("an object with a wrong checksum is refused", "[cloud]") {
  Bench bench;
  const auto bucket = bench.Open("s3://team?response_checksum_validation=when_supported");
  for (const auto& [header, sum, good] : std::vector<std::tuple<std::string, std::string, bool>>{
           {"x-amz-checksum-sha256", "mC2ePrmW9VnmM/TRlN7zdh2Qn1o7ZH0ahR/q1nwyydE=", true},
           {"x-amz-checksum-sha256", "AAAAPrmW9VnmM/TRlN7zdh2Qn1o7ZH0ahR/q1nwyydE=", false},
           {"x-amz-checksum-crc32", "O4unxw==", true},
           {"x-amz-checksum-crc32", "AAAAAA==", false},
           {"x-amz-checksum-crc32", "AAAAAA==-3", true}}) {
    bench.world.Answer(200, "text", {{"etag", "\"e\""}, {header, sum}});
    const Result<std::optional<Blob>> blob = bucket->Get("k");
    INFO(header << " " << sum);
    CHECK(blob.ok() == good);
    if (!good) CHECK(blob.status().code() == Code::kDataLoss);
  }
  CHECK(HeaderIn(bench.world.requests[0], "x-amz-checksum-mode") == "ENABLED");
}

TEST_CASE("refusals name the missing right and hold no secret", "[cloud]") {
  Bench bench;
  const auto bucket = bench.Open("s3://team/sub");
  // S3 repeats what was signed when it does not like the signature.
  const std::string signature_wrong =
      "<Error><Code>SignatureDoesNotMatch</Code><Message>The signature does not match.</Message><AWSAccessKeyId>"
      "CANARYKEY</AWSAccessKeyId><StringToSign>canary-token</StringToSign></Error>";
  bench.world.Answer(403, signature_wrong);
  bench.world.Answer(403, "<Error><Code>AccessDenied</Code><Message>no</Message></Error>");
  bench.world.Answer(301, "<Error><Code>PermanentRedirect</Code></Error>", {{"x-amz-bucket-region", "eu-west-1"}});
  bench.world.Answer(404, "<Error><Code>NoSuchBucket</Code><Message>no such bucket</Message></Error>");
  for (int i = 0; i < 5; ++i) bench.world.Fail();
  const Status wrong = bucket->Delete("k"), denied = bucket->List("p", false).status(),
               moved = bucket->Get("k").status();
  const Status absent = bucket->Get("k").status(), offline = bucket->Get("k").status();
  CHECK(wrong.code() == Code::kUnauthenticated);
  CHECK(wrong.message().find("look at AWS_ACCESS_KEY_ID") != std::string::npos);
  CHECK(wrong.message().find("the right that is needed") == std::string::npos);
  CHECK(denied.code() == Code::kPermissionDenied);
  CHECK(denied.message().find("s3:ListBucket on arn:aws:s3:::team") != std::string::npos);
  CHECK(moved.message().find("add region=eu-west-1") != std::string::npos);
  CHECK(absent.code() == Code::kNotFound);
  CHECK(offline.code() == Code::kUnavailable);
  for (const Status& status : {wrong, denied, moved, absent, offline}) {
    for (const char* secret : {"CANARYKEY", "canary-secret", "canary-token", "Signature="}) {
      INFO(status.message());
      CHECK(status.message().find(secret) == std::string::npos);
    }
  }
}

}  // namespace kingpost::s3_bucket_test
