// SPDX-License-Identifier: Apache-2.0
// s3://BUCKET[/ROOT][?PARAMETERS]: which bucket, how it is reached, what is sent along with each object.
#pragma once

#include <string>

#include "base/percent.h"
#include "remote/cloud/aws/settings.h"

namespace kingpost {

struct S3Options {
  AwsSettings settings;
  std::string bucket, root;
  std::string printable_url;
  std::string endpoint;    // "https://HOST", the bucket's name in it or not
  std::string path_base;   // what paths begin with: "/", or "/BUCKET/"
  Parameters put_headers;  // encryption at rest
  bool add_checksums = false, check_checksums = false;

  static Result<S3Options> From(const std::string& url, std::shared_ptr<const CloudIo> io);
};

}  // namespace kingpost
