// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/open_bucket.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "remote/cloud/aws/s3_bucket.h"
#include "remote/cloud/azure/azure_bucket.h"
#include "remote/cloud/gcp/gcs_bucket.h"

namespace kingpost {

namespace {

Result<std::shared_ptr<BlobBucket>> OpenS3Bucket(const std::string& url) {
  Result<S3Options> options = S3Options::From(url, SystemCloudIo());
  if (!options.ok()) return options.status();
  return std::shared_ptr<BlobBucket>(std::make_shared<S3Bucket>(std::move(*options)));
}

Result<std::shared_ptr<BlobBucket>> OpenGcsBucket(const std::string& url) {
  Result<GcsOptions> options = GcsOptions::From(url);
  if (!options.ok()) return options.status();
  return std::shared_ptr<BlobBucket>(std::make_shared<GcsBucket>(std::move(*options), SystemCloudIo()));
}

Result<std::shared_ptr<BlobBucket>> OpenAzureBucket(const std::string& url) {
  Result<AzureOptions> options = AzureOptions::From(url);
  if (!options.ok()) return options.status();
  return std::shared_ptr<BlobBucket>(std::make_shared<AzureBucket>(std::move(*options), SystemCloudIo()));
}

using OpenBucket = Result<std::shared_ptr<BlobBucket>> (*)(const std::string&);

constexpr std::pair<const char*, OpenBucket> kBuckets[] = {
    {"s3://", OpenS3Bucket},
    {"gs://", OpenGcsBucket},
    {"azblob://", OpenAzureBucket},
};

// Refuses a password in the URL: a request would send the part before a "/" in it as the bucket's name.
Status CheckBucketName(const std::string& address) {
  const std::string authority = address.substr(0, address.find_first_of("/?#"));
  const bool is_name = std::all_of(authority.begin(), authority.end(),
                                   [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '-' || c == '_'; });
  if (is_name) return Status::Ok();
  return {Code::kInvalidArgument,
          "the backend URL has to begin with the name of its bucket or container (letters, digits, '.', '-' and '_'); "
          "users and passwords have no place in it"};
}

}  // namespace

bool IsCloudBucketUrl(const std::string& url) {
  for (const auto& [scheme, open] : kBuckets) {
    if (url.starts_with(scheme)) return true;
  }
  return false;
}

Result<std::shared_ptr<BlobBucket>> OpenCloudBucket(const std::string& url) {
  for (const auto& [scheme, open] : kBuckets) {
    if (!url.starts_with(scheme)) continue;
    const Status named = CheckBucketName(url.substr(std::strlen(scheme)));
    return named.ok() ? open(url) : named;
  }
  return Status(Code::kInvalidArgument, "the URL has no known scheme; expected s3://, gs:// or azblob://");
}

}  // namespace kingpost
