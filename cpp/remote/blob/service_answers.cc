// SPDX-License-Identifier: Apache-2.0
#include "remote/blob/service_answers.h"

#include <map>
#include <set>

namespace kingpost {

namespace {

Status Endless(const std::string& url, const std::string& what) {
  return {Code::kUnknown, "cannot list " + url + ": the service " + what +
                              "; try again. If it stays so, ask the operator of the service, or of a proxy before it"};
}

}  // namespace

Result<std::vector<BlobInfo>> ListAllPages(const std::string& url, const std::string& prefix, const ListPage& page) {
  std::map<std::string, BlobInfo> by_key;
  std::set<std::string> sent;
  int idle_pages = 0;
  for (std::string token;;) {
    std::vector<BlobInfo> found;
    Result<std::string> next = page(token, &found);
    if (!next.ok()) return next.status();
    const size_t before = by_key.size();
    for (BlobInfo& info : found) {
      if (info.key.starts_with(prefix)) by_key[info.key] = std::move(info);
    }
    if (next->empty()) break;
    token = std::move(*next);
    if (!sent.insert(token).second) return Endless(url, "goes on with a page that it has given before");
    idle_pages = by_key.size() > before ? 0 : idle_pages + 1;
    if (idle_pages == kIdlePagesMax) {
      return Endless(url, "has sent " + std::to_string(kIdlePagesMax) + " pages in a row without any new key");
    }
  }
  std::vector<BlobInfo> all;
  all.reserve(by_key.size());
  for (auto& [key, info] : by_key) all.push_back(std::move(info));
  return all;
}

Result<std::string> ResolveFailedPut(BlobBucket& bucket, const std::string& key, const std::string& url,
                                     std::string_view bytes) {
  const Result<std::optional<Blob>> there = bucket.Get(key);
  if (!there.ok()) return there.status();
  if (*there && (*there)->bytes == bytes) return (*there)->tag;
  return Status(Code::kFailedPrecondition, url + " was modified by another process since it was read");
}

}  // namespace kingpost
