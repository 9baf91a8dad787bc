// SPDX-License-Identifier: Apache-2.0
// The operations of a bucket on many objects, one by one: for buckets that have no better way.
#include "remote/blob/blob_bucket.h"

#include "remote/blob/run_parallel.h"

namespace kingpost {

Result<std::vector<std::optional<Blob>>> BlobBucket::GetMany(const std::vector<std::string>& keys) {
  std::vector<std::optional<Blob>> blobs(keys.size());
  const Status got = RunParallel(keys.size(), [&](size_t i) {
    Result<std::optional<Blob>> blob = Get(keys[i]);
    if (!blob.ok()) return blob.status();
    blobs[i] = *std::move(blob);
    return Status();
  });
  if (!got.ok()) return got;
  return blobs;
}

Status BlobBucket::DeleteMany(const std::vector<std::string>& keys) {
  return RunParallel(keys.size(), [&](size_t i) { return Delete(keys[i]); });
}

}  // namespace kingpost
