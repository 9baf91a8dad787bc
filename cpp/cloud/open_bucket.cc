// SPDX-License-Identifier: Apache-2.0
#include "cloud/open_bucket.h"

#include "cloud/aws/s3_bucket.h"

namespace kingpost {

namespace {

Result<std::shared_ptr<BlobBucket>> OpenS3Bucket(const std::string& url) {
  Result<S3Options> options = S3Options::From(url, SystemCloudIo());
  if (!options.ok()) return options.status();
  return std::shared_ptr<BlobBucket>(std::make_shared<S3Bucket>(std::move(*options)));
}

}  // namespace

bool IsCloudBucketUrl(const std::string& url) { return url.starts_with("s3://"); }

Result<std::shared_ptr<BlobBucket>> OpenCloudBucket(const std::string& url) {
  if (url.starts_with("s3://")) return OpenS3Bucket(url);
  return Status(Code::kInvalidArgument, "the URL has no known scheme; expected s3://BUCKET");
}

}  // namespace kingpost
