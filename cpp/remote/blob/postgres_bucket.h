// SPDX-License-Identifier: Apache-2.0
// PostgresBucket: objects as rows of one table, in the form of the reference: key, {"data":BASE64}, updated_at. It adds
// no table and no column. Each call is one statement, and each transaction one round trip. Any thread; a connection is
// opened for each thread that finds none idle.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "remote/blob/blob_transactions.h"
#include "remote/blob/postgres_connection.h"

namespace kingpost {

class PostgresBucket : public BlobBucket, private BlobTransactions {
 public:
  static Result<std::shared_ptr<BlobBucket>> Open(const std::string& url);
  explicit PostgresBucket(PostgresUrl url) : url_(std::move(url)) {}

  std::string printable_url() const override { return url_.printable; }
  Result<std::optional<Blob>> Get(const std::string& key) override;
  Result<std::string> Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                          const std::string& content_type) override;
  Status Copy(const std::string& from, const std::string& to) override;
  Status Delete(const std::string& key) override;
  Status DeleteIf(const std::string& key, const std::string& tag) override;
  Result<std::vector<BlobInfo>> List(const std::string& prefix, bool one_level) override;
  Result<std::vector<std::optional<Blob>>> GetMany(const std::vector<std::string>& keys) override;
  Status DeleteMany(const std::vector<std::string>& keys) override;
  BlobTransactions* transactions() override { return this; }

 private:
  // For a try that follows one whose answer was lost.
  using Work = std::function<Status(PostgresConnection&, bool again)>;

  Result<std::vector<std::string>> Commit(const std::vector<BlobChange>& changes) override;
  Status PutGuarded(const std::string& guard, const std::string& key, std::string_view bytes) override;
  Result<std::unique_ptr<LivenessLock>> HoldLiveness(const std::string& name) override;
  Result<bool> IsLive(const std::string& name) override;

  // Makes the table if it is missing, and tries again what may be tried again.
  Status Do(const Work& work);
  Result<SqlRows> Query(const SqlStatement& statement);
  Result<std::unique_ptr<PostgresConnection>> Take();
  Status MakeTable(PostgresConnection& connection);
  SqlStatement StatementOf(const BlobChange& change) const;
  Result<std::vector<std::string>> TagsIfDone(PostgresConnection& connection, const std::vector<BlobChange>& changes);
  std::string Row(const std::string& key) const { return url_.root + key; }
  std::string Sql(std::string text) const;  // with the table's name for TABLE

  const PostgresUrl url_;
  std::atomic<bool> met_{false};
  std::mutex mutex_;
  std::vector<std::unique_ptr<PostgresConnection>> idle_;
};

// By which number a life sign is known in the database.
int64_t LivenessLockId(const std::string& table, const std::string& name);

}  // namespace kingpost
