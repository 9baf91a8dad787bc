// SPDX-License-Identifier: Apache-2.0
// Buckets of S3, and of services that speak its language. Any thread.
//
// Objects are put in one request. Parts would begin to be needed at 5 GB, which no document of ours comes near: what
// is read is refused from 1 GiB on. One request is also what makes conditions and tags simple.
#pragma once

#include <atomic>

#include "remote/blob/blob_bucket.h"
#include "remote/blob/bucket_rules.h"
#include "remote/cloud/aws/client.h"
#include "remote/cloud/aws/s3_options.h"
#include "remote/cloud/xml.h"

namespace kingpost {

class S3Bucket : public BlobBucket, public BucketWithRules {
 public:
  explicit S3Bucket(S3Options options) : options_(std::move(options)), client_("s3", options_.settings) {}

  std::string printable_url() const override { return options_.printable_url; }
  Result<std::optional<Blob>> Get(const std::string& key) override;
  Result<std::string> Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                          const std::string& content_type) override;
  Status Copy(const std::string& from, const std::string& to) override;
  Status Delete(const std::string& key) override { return DeleteVersion(key, ""); }
  Status DeleteIf(const std::string& key, const std::string& tag) override { return DeleteVersion(key, tag); }
  Result<std::vector<BlobInfo>> List(const std::string& prefix, bool one_level) override;
  Status DeleteMany(const std::vector<std::string>& keys) override;
  Result<BucketRules> ReadRules() override;

 private:
  Status DeleteVersion(const std::string& key, const std::string& tag);  // any, where `tag` is ""
  struct Stored {
    Blob blob;
    std::string content_type;
  };

  AwsRequest RequestFor(const std::string& method, const std::string& key) const;
  AwsRequest BucketRequest(const std::string& method) const;  // about the bucket, not an object in it
  Result<std::optional<Stored>> Read(const std::string& key);
  Result<std::vector<std::string>> DeleteTogether(const std::vector<std::string>& keys);
  Result<std::optional<XmlElement>> AskBucket(const std::string& what, const std::string& right);
  Status CopyByHand(const std::string& from, const std::string& to);
  Result<std::string> ListOnePage(const std::string& prefix, bool one_level, const std::string& token,
                                  std::vector<BlobInfo>* found);
  Status Refusal(const std::string& action, const std::string& key, const HttpResponse& response) const;
  std::string UrlOf(const std::string& key) const;

  const S3Options options_;
  AwsClient client_;
  std::atomic<bool> deletes_together_{true};  // until the service says that it cannot
};

}  // namespace kingpost
