// SPDX-License-Identifier: Apache-2.0
// The further operations of a bucket that is a database: several changes in one, all or none, and the sight that a
// process has gone. Blocking; any thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "remote/blob/blob_bucket.h"

namespace kingpost {

// One of the changes of a transaction.
struct BlobChange {
  enum class Kind {
    kPut,           // `bytes` under `key`, if `condition` allows it
    kCopy,          // of `from` to `key`; nothing if `from` is not there
    kDelete,        // `key`, if it is there; with a tag as its condition: only that version of it, which must be there
    kDeleteBelow,   // all below `key`, a prefix
    kRequire,       // `key` is there, and stays until the transaction is done
    kRequireEmpty,  // nothing is below `key`, a prefix
  };
  Kind kind = Kind::kPut;
  std::string key;
  std::string bytes = {};
  PutCondition condition = {};
  std::string from = {};

  static BlobChange Put(std::string key, std::string bytes, PutCondition condition = PutCondition::Always()) {
    return {Kind::kPut, std::move(key), std::move(bytes), std::move(condition), {}};
  }
  static BlobChange Copy(std::string from, std::string to) {
    return {Kind::kCopy, std::move(to), {}, {}, std::move(from)};
  }
  static BlobChange Delete(std::string key, PutCondition condition = PutCondition::Always()) {
    return {Kind::kDelete, std::move(key), {}, std::move(condition), {}};
  }
  static BlobChange DeleteBelow(std::string prefix) { return {Kind::kDeleteBelow, std::move(prefix), {}, {}, {}}; }
  static BlobChange Require(std::string key) { return {Kind::kRequire, std::move(key), {}, {}, {}}; }
  static BlobChange RequireEmpty(std::string prefix) { return {Kind::kRequireEmpty, std::move(prefix), {}, {}, {}}; }
};

// Says that the process which holds it lives; ends with it, however it ends.
class LivenessLock {
 public:
  virtual ~LivenessLock() = default;
  // Whether others are sure to see the end of it at once. Behind a pooler of connections they are not.
  virtual bool certain() const = 0;
  // Says it anew if that has been cut off.
  virtual Status Renew() = 0;
};

class BlobTransactions {
 public:
  virtual ~BlobTransactions() = default;

  // All of them or none, in one round trip. The tag of each put, "" for other changes. FailedPrecondition: a condition,
  // a kRequire or a kRequireEmpty did not hold, and nothing is changed. If the answer is lost, the first put tells
  // whether it was done: its bytes must be this transaction's alone.
  virtual Result<std::vector<std::string>> Commit(const std::vector<BlobChange>& changes) = 0;
  // Puts `bytes` under `key`, where nothing is, while `guard` is there. Aborted if it is not, or `key` is another's.
  virtual Status PutGuarded(const std::string& guard, const std::string& key, std::string_view bytes) = 0;

  virtual Result<std::unique_ptr<LivenessLock>> HoldLiveness(const std::string& name) = 0;
  // Whether a process holds the life sign of that name.
  virtual Result<bool> IsLive(const std::string& name) = 0;
};

}  // namespace kingpost
