// SPDX-License-Identifier: Apache-2.0
#include "blob/service_answers.h"

#include <algorithm>

namespace kingpost {

Result<std::vector<BlobInfo>> ListAllPages(const std::string& prefix, const ListPage& page) {
  std::vector<BlobInfo> found;
  std::string token;
  do {
    Result<std::string> next = page(token, &found);
    if (!next.ok()) return next.status();
    token = std::move(*next);
  } while (!token.empty());
  std::erase_if(found, [&](const BlobInfo& info) { return !info.key.starts_with(prefix); });
  std::sort(found.begin(), found.end(), [](const BlobInfo& a, const BlobInfo& b) { return a.key < b.key; });
  return found;
}

Result<std::string> LostOrOurs(BlobBucket& bucket, const std::string& key, const std::string& url,
                               std::string_view bytes) {
  const Result<std::optional<Blob>> there = bucket.Get(key);
  if (!there.ok()) return there.status();
  if (*there && (*there)->bytes == bytes) return (*there)->tag;
  return Status(Code::kFailedPrecondition, url + " was changed by somebody else, or is not what it was expected to be");
}

}  // namespace kingpost
