// SPDX-License-Identifier: Apache-2.0
// Containers of Azure Blob Storage. Objects are block blobs, put in one request. Any thread.
#pragma once

#include "remote/blob/blob_bucket.h"
#include "remote/cloud/azure/azure_options.h"
#include "remote/cloud/azure/shared_key.h"
#include "remote/cloud/bearer.h"

namespace kingpost {

class AzureBucket : public BlobBucket {
 public:
  AzureBucket(AzureOptions options, std::shared_ptr<const CloudIo> io);

  std::string printable_url() const override { return options_.printable_url; }
  Result<std::optional<Blob>> Get(const std::string& key) override;
  Result<std::string> Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                          const std::string& content_type) override;
  Status Copy(const std::string& from, const std::string& to) override;
  Status Delete(const std::string& key) override { return DeleteVersion(key, ""); }
  Status DeleteIf(const std::string& key, const std::string& tag) override { return DeleteVersion(key, tag); }
  Result<std::vector<BlobInfo>> List(const std::string& prefix, bool one_level) override;

 private:
  Status DeleteVersion(const std::string& key, const std::string& tag);  // any, where `tag` is ""
  AzureRequest RequestFor(const std::string& method, const std::string& key) const;
  Result<Answer> Send(AzureRequest request, const std::string& what);
  std::string UrlOf(const std::string& key) const;
  Status WaitForCopy(const std::string& key, std::string status);
  Result<std::string> ListOnePage(const std::string& prefix, bool one_level, const std::string& marker,
                                  std::vector<BlobInfo>* found);
  Status Refusal(const std::string& action, const std::string& key, const HttpResponse& response) const;

  const AzureOptions options_;
  const std::shared_ptr<const CloudIo> io_;
  BearerClient client_;  // anonymous where a key or a permission signs
  Retrier retrier_;
};

}  // namespace kingpost
