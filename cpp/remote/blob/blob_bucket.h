// SPDX-License-Identifier: Apache-2.0
// BlobBucket: the little that a store of objects must be able to do. It keeps bytes under keys and knows nothing of
// what they mean. S3, Google Cloud Storage, Azure Blob, a table in PostgreSQL and a map in memory are buckets.
//
// All calls block, so they are made by workers; any thread may call, and several at a time. Keys are below the root
// that the bucket's URL names: ".pulumi/meta.yaml". A bucket retries by itself what its service says may be tried
// again; what comes out as Unavailable has been retried. Errors name the bucket and the key, and never a credential.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace kingpost {

struct BlobInfo {
  std::string key;
  int64_t size = 0;         // bytes; 0 where the service would have to read the object to tell
  int64_t modified_ms = 0;  // since 1970; whole seconds where the service knows no more
};

struct Blob {
  std::string bytes;
  std::string tag;  // of this version: an ETag, a generation, xmin. Opaque, never empty
  int64_t modified_ms = 0;
  int64_t server_ms = 0;  // the service's own clock as it answered, to tell the object's age by; 0 if it does not say
};

// When a Put is done at all. Otherwise it is FailedPrecondition, and nothing is changed.
struct PutCondition {
  enum class Kind { kAlways, kIfAbsent, kIfTag };
  Kind kind = Kind::kAlways;
  std::string tag;  // with kIfTag: what the object of now must carry

  static PutCondition Always() { return {}; }
  static PutCondition IfAbsent() { return {Kind::kIfAbsent, ""}; }
  static PutCondition IfTag(std::string tag) { return {Kind::kIfTag, std::move(tag)}; }
};

class BlobTransactions;

class BlobBucket {
 public:
  virtual ~BlobBucket() = default;

  // As messages show it: without user, password, or what else is secret in it.
  virtual std::string printable_url() const = 0;

  virtual Result<std::optional<Blob>> Get(const std::string& key) = 0;  // nothing there: nullopt
  // Durable when it returns; all or nothing. Gives the new tag. A conditional Put that finds its own bytes
  // there may have been sent twice: it may be told as a success, and is no lost race.
  virtual Result<std::string> Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                                  const std::string& content_type) = 0;
  virtual Status Copy(const std::string& from, const std::string& to) = 0;  // NotFound if `from` is not there
  virtual Status Delete(const std::string& key) = 0;                        // what is not there is deleted
  // That version of it: FailedPrecondition if it is another one by now, which stays. What is not there is deleted.
  virtual Status DeleteIf(const std::string& key, const std::string& tag) = 0;
  // Everything whose key begins with `prefix`, in the order of keys. `one_level` leaves out what has a "/" after the
  // prefix.
  virtual Result<std::vector<BlobInfo>> List(const std::string& prefix, bool one_level) = 0;

  // The same for several keys: several requests at a time, or one where the service can. Answers are in the order of
  // `keys`; the first failure fails all.
  virtual Result<std::vector<std::optional<Blob>>> GetMany(const std::vector<std::string>& keys);
  virtual Status DeleteMany(const std::vector<std::string>& keys);

  // The operations that only a database has (blob_transactions.h); null elsewhere.
  virtual BlobTransactions* transactions() { return nullptr; }
};

}  // namespace kingpost
