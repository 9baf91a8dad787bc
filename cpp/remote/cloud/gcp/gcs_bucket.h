// SPDX-License-Identifier: Apache-2.0
// Buckets of Google Cloud Storage, by its JSON API: gs://BUCKET[/ROOT]. Tags are generations. Any thread.
#pragma once

#include "base/percent.h"
#include "remote/blob/blob_bucket.h"
#include "remote/blob/bucket_rules.h"
#include "remote/cloud/bearer.h"

namespace kingpost {

struct GcsOptions {
  std::string bucket, root;
  std::string printable_url;
  std::string endpoint;  // "https://storage.googleapis.com"
  bool anonymous = false;

  // STORAGE_EMULATOR_HOST is asked without credentials.
  static Result<GcsOptions> From(const std::string& url);
};

class GcsBucket : public BlobBucket, public BucketWithRules {
 public:
  GcsBucket(GcsOptions options, const std::shared_ptr<const CloudIo>& io);

  std::string printable_url() const override { return options_.printable_url; }
  Result<std::optional<Blob>> Get(const std::string& key) override;
  Result<std::string> Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                          const std::string& content_type) override;
  Status Copy(const std::string& from, const std::string& to) override;
  Status Delete(const std::string& key) override { return DeleteVersion(key, ""); }
  Status DeleteIf(const std::string& key, const std::string& tag) override { return DeleteVersion(key, tag); }
  Result<std::vector<BlobInfo>> List(const std::string& prefix, bool one_level) override;
  Result<BucketRules> ReadRules() override;

 private:
  Status DeleteVersion(const std::string& key, const std::string& tag);  // any, where `tag` is ""
  std::string ObjectUrl(const std::string& key) const;
  std::string UrlOf(const std::string& key) const;
  Result<std::string> ListOnePage(const std::string& prefix, bool one_level, const std::string& token,
                                  std::vector<BlobInfo>* found);
  Status Refusal(const std::string& action, const std::string& key, const HttpResponse& response) const;

  const GcsOptions options_;
  BearerClient client_;
};

}  // namespace kingpost
