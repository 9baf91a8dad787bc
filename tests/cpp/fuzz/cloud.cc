// SPDX-License-Identifier: Apache-2.0
// Fuzzes the answers of object stores and key services. The input is a byte for the service and the request, one for
// the status, and the body. Every request gets the same answer, with the service's headers. Listed keys must lie below
// the requested prefix, and no message may hold a credential.
#include <cstdlib>

#include "fuzz/fuzz.h"
#include "remote/cloud/aws/s3_bucket.h"
#include "remote/cloud/azure/azure_bucket.h"
#include "remote/cloud/gcp/gcs_bucket.h"
#include "remote/cloud/keys/key_service.h"

using namespace kingpost;

namespace {

constexpr char kSecret[] = "Y2FuYXJ5LXNlY3JldA==";
constexpr int kStatuses[] = {200, 201, 202, 204, 206, 302, 400, 401, 403, 404, 409, 412, 429, 500, 503};
constexpr size_t kRequestsMax = 50;

// Keeps the settings of this machine out of the run.
void SetEnvironment() {
  const std::pair<const char*, const char*> variables[] = {{"HOME", "/nowhere"},
                                                           {"PATH", "/nowhere"},
                                                           {"AWS_ACCESS_KEY_ID", "A"},
                                                           {"AWS_SECRET_ACCESS_KEY", kSecret},
                                                           {"AWS_REGION", "eu-west-1"},
                                                           {"GOOGLE_OAUTH_ACCESS_TOKEN", kSecret},
                                                           {"AZURE_STORAGE_ACCOUNT", "acme"},
                                                           {"AZURE_STORAGE_KEY", kSecret},
                                                           {"AZURE_TENANT_ID", "t"},
                                                           {"AZURE_CLIENT_ID", "c"},
                                                           {"AZURE_CLIENT_SECRET", kSecret},
                                                           {"VAULT_ADDR", "http://vault"},
                                                           {"VAULT_TOKEN", kSecret},
                                                           {"AWS_EC2_METADATA_DISABLED", "true"}};
  for (const auto& [name, value] : variables) setenv(name, value, 1);
}

// A service that gives the same answer to each request, and stops after kRequestsMax.
std::shared_ptr<const CloudIo> WorldOf(int status, const std::string& body) {
  auto io = std::make_shared<CloudIo>();
  auto now = std::make_shared<int64_t>(1'440'938'160'000);
  auto asked = std::make_shared<size_t>(0);
  io->send = [=](const HttpRequest&) -> Result<HttpResponse> {
    if (++*asked > kRequestsMax) return Status(Code::kInvalidArgument, "enough");
    HttpResponse response;
    response.status = status;
    response.body = body;
    const std::string head = body.substr(0, 40);
    response.headers = {{"etag", head},
                        {"x-goog-generation", head},
                        {"date", head},
                        {"last-modified", head},
                        {"retry-after", head},
                        {"x-ms-copy-status", head},
                        {"x-amz-checksum-sha256", head}};
    return response;
  };
  io->now_ms = [=] { return *now; };
  io->sleep_ms = [=](int64_t ms) { *now += ms; };
  io->chance = [] { return 0.5; };
  return io;
}

void Expect(const Status& status) { FUZZ_CHECK(status.message().find(kSecret) == std::string::npos, status.message()); }

void AskBucket(BlobBucket& bucket) {
  const auto listed = bucket.List(".pulumi/", false);
  Expect(listed.status());
  if (listed.ok()) {
    for (const BlobInfo& info : *listed) FUZZ_CHECK(info.key.starts_with(".pulumi/"), info.key);
  }
  const auto got = bucket.Get(".pulumi/a");
  Expect(got.status());
  if (got.ok() && *got) FUZZ_CHECK(!(*got)->tag.empty(), "a blob without a tag");
  Expect(bucket.Put(".pulumi/a", "{}", PutCondition::IfAbsent(), "text/plain").status());
  Expect(bucket.Copy(".pulumi/a", ".pulumi/b"));
  Expect(bucket.Delete(".pulumi/a"));
}

void AskKey(const char* url, const std::shared_ptr<const CloudIo>& io) {
  const auto service = OpenKeyService(url, io);
  FUZZ_CHECK(service.ok(), service.status().message());
  Expect((*service)->Encrypt("plain").status());
  Expect((*service)->Decrypt("cipher").status());
}

}  // namespace

void Try(std::string_view input) {
  static const bool set = (SetEnvironment(), true);
  if (!set || input.size() < 2) return;
  // A service that answers with the credential has told it itself; the comparison in Expect() teaches it to the fuzzer.
  if (input.find(kSecret) != std::string_view::npos) return;
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(input[at]); };
  const auto io = WorldOf(kStatuses[byte(1) % std::size(kStatuses)], std::string(input.substr(2)));
  switch (byte(0) % 7) {
    case 0: {
      S3Bucket bucket(*S3Options::From("s3://team", io));
      return AskBucket(bucket);
    }
    case 1: {
      GcsBucket bucket(*GcsOptions::From("gs://team"), io);
      return AskBucket(bucket);
    }
    case 2: {
      AzureBucket bucket(*AzureOptions::From("azblob://team"), io);
      return AskBucket(bucket);
    }
    case 3:
      return AskKey("awskms://alias/team?region=eu-west-1", io);
    case 4:
      return AskKey("azurekeyvault://acme.vault.azure.net/keys/main", io);
    case 5:
      return AskKey("gcpkms://projects/p/locations/l/keyRings/r/cryptoKeys/k", io);
    default:
      return AskKey("hashivault://main", io);
  }
}
