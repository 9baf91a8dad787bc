// SPDX-License-Identifier: Apache-2.0
// From the URL of a bucket in a cloud to the bucket. Any thread.
#pragma once

#include <memory>
#include <string>

#include "remote/blob/blob_bucket.h"

namespace kingpost {

// s3://, gs://, azblob://
bool IsCloudBucketUrl(const std::string& url);

// Asks nobody yet: credentials are looked for with the first request. InvalidArgument for a URL that names no bucket or
// has a parameter that is not known.
Result<std::shared_ptr<BlobBucket>> OpenCloudBucket(const std::string& url);

}  // namespace kingpost
