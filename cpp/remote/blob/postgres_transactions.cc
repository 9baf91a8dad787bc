// SPDX-License-Identifier: Apache-2.0
// The operations that only a database has. A condition that does not hold divides by zero: that undoes the transaction,
// though its statements were all sent at once.
#include "base/command_name.h"
#include "base/digest.h"
#include "remote/blob/postgres_bucket.h"
#include "remote/blob/postgres_rows.h"

namespace kingpost {

namespace {

// Holds an advisory lock of its own session, which PostgreSQL lets go of when the session ends.
class PostgresLifeSign : public LivenessLock {
 public:
  PostgresLifeSign(PostgresUrl url, int64_t number) : url_(std::move(url)), number_(std::to_string(number)) {}

  Status Renew() override {
    if (connection_ && connection_->Run({"SELECT 1", {}}).ok()) return Status::Ok();
    connection_.reset();
    Result<std::unique_ptr<PostgresConnection>> opened = PostgresConnection::Open(url_);
    if (!opened.ok()) return opened.status();
    // Shared, because the server may not have noticed yet that the session before this one has ended.
    const Result<SqlRows> locked = (*opened)->Run({"SELECT pg_advisory_lock_shared($1::bigint)", {number_}});
    if (!locked.ok()) return locked.status();
    connection_ = *std::move(opened);
    return Status::Ok();
  }
  bool certain() const override { return connection_ && !connection_->pooled(); }

 private:
  const PostgresUrl url_;
  const std::string number_;
  std::unique_ptr<PostgresConnection> connection_;
};

}  // namespace

int64_t LivenessLockId(const std::string& table, const std::string& name) {
  const std::string digits = Sha256Hex("kingpost life sign " + table + " " + name).substr(0, 16);
  return static_cast<int64_t>(std::stoull(digits, nullptr, 16));
}

SqlStatement PostgresBucket::StatementOf(const BlobChange& change) const {
  const std::string key = Row(change.key);
  switch (change.kind) {
    case BlobChange::Kind::kPut:
      switch (change.condition.kind) {
        case PutCondition::Kind::kAlways:
          return {Sql("INSERT INTO TABLE_ (key, data) VALUES ($1, $2::json) ON CONFLICT (key) DO UPDATE SET data = "
                      "$2::json, updated_at = now() RETURNING xmin::text"),
                  {key, DataOf(change.bytes)}};
        case PutCondition::Kind::kIfAbsent:
          return {
              Sql("WITH x AS (INSERT INTO TABLE_ (key, data) VALUES ($1, $2::json) ON CONFLICT DO NOTHING RETURNING "
                  "xmin::text AS tag) SELECT (SELECT tag FROM x), 1 / (SELECT count(*) FROM x)"),
              {key, DataOf(change.bytes)}};
        case PutCondition::Kind::kIfTag:
          return {
              Sql("WITH x AS (UPDATE TABLE_ SET data = $2::json, updated_at = now() WHERE key = $1 AND xmin::text = "
                  "$3 RETURNING xmin::text AS tag) SELECT (SELECT tag FROM x), 1 / (SELECT count(*) FROM x)"),
              {key, DataOf(change.bytes), change.condition.tag}};
      }
      KP_ASSERT(false, "every condition has its statement");
    case BlobChange::Kind::kCopy:
      return {Sql("INSERT INTO TABLE_ (key, data) SELECT $2, data FROM TABLE_ WHERE key = $1 ON CONFLICT (key) DO "
                  "UPDATE SET data = EXCLUDED.data, updated_at = now()"),
              {Row(change.from), key}};
    case BlobChange::Kind::kDelete:
      if (change.condition.kind == PutCondition::Kind::kIfTag) {
        return {Sql("WITH x AS (DELETE FROM TABLE_ WHERE key = $1 AND xmin::text = $2 RETURNING 1) SELECT 1 / (SELECT "
                    "count(*) FROM x)"),
                {key, change.condition.tag}};
      }
      return {Sql("DELETE FROM TABLE_ WHERE key = $1"), {key}};
    case BlobChange::Kind::kDeleteBelow:
      return {Sql("DELETE FROM TABLE_ WHERE key LIKE $1"), {PatternOf(key)}};
    case BlobChange::Kind::kRequire:
      return {Sql("SELECT 1 / count(*) FROM (SELECT 1 FROM TABLE_ WHERE key = $1 FOR KEY SHARE) AS x"), {key}};
    case BlobChange::Kind::kRequireEmpty:
      return {Sql("SELECT 1 / (1 - least(count(*), 1)) FROM TABLE_ WHERE key LIKE $1"), {PatternOf(key)}};
  }
  KP_ASSERT(false, "every kind of change has its statement");
}

// Whether a transaction whose answer was lost was done, by its first put.
Result<std::vector<std::string>> PostgresBucket::TagsIfDone(PostgresConnection& connection,
                                                            const std::vector<BlobChange>& changes) {
  std::vector<std::string> tags;
  bool first = true;
  for (const BlobChange& change : changes) {
    tags.emplace_back();
    if (change.kind != BlobChange::Kind::kPut) continue;
    const Result<SqlRows> rows =
        connection.Run({Sql(std::string("SELECT ") + kBlobColumns + " FROM TABLE_ WHERE key = $1"), {Row(change.key)}});
    if (!rows.ok()) return rows.status();
    const Result<Blob> blob = rows->values.empty() ? Result<Blob>(Status(Code::kFailedPrecondition, "no such row"))
                                                   : BlobOf(change.key, rows->values[0]);
    if (first && (!blob.ok() || blob->bytes != change.bytes)) {
      return Status(Code::kFailedPrecondition, url_.printable + " " + Row(change.key) +
                                                   ": another process changed this row; run the command again");
    }
    if (blob.ok()) tags.back() = blob->tag;
    first = false;
  }
  if (first) return Status(Code::kFailedPrecondition, "nothing tells of it, and what copies and deletes is done again");
  return tags;
}

Result<std::vector<std::string>> PostgresBucket::Commit(const std::vector<BlobChange>& changes) {
  std::vector<SqlStatement> statements;
  for (const BlobChange& change : changes) statements.push_back(StatementOf(change));
  std::vector<std::string> tags;
  const Status done = Do([&](PostgresConnection& connection, bool again) {
    if (again) {
      Result<std::vector<std::string>> earlier = TagsIfDone(connection, changes);
      if (earlier.ok()) tags = *std::move(earlier);
      if (tags.size() == changes.size()) return Status::Ok();
    }
    const Result<std::vector<SqlRows>> rows = connection.RunAll(statements);
    if (!rows.ok()) return rows.status();
    tags.assign(changes.size(), "");
    for (size_t i = 0; i < changes.size(); ++i) {
      if (changes[i].kind == BlobChange::Kind::kPut) tags[i] = (*rows)[i].values[0][0];
    }
    return Status::Ok();
  });
  return done.ok() ? Result<std::vector<std::string>>(std::move(tags)) : done;
}

// The lock's row cannot go before the batch is in: a cancelling command waits for that moment.
Status PostgresBucket::PutGuarded(const std::string& guard, const std::string& key, std::string_view bytes) {
  const Result<SqlRows> rows =
      Query({Sql("WITH l AS (SELECT 1 FROM TABLE_ WHERE key = $1 FOR KEY SHARE) INSERT INTO TABLE_ (key, data) SELECT "
                 "$2, $3::json FROM l ON CONFLICT DO NOTHING"),
             {Row(guard), Row(key), DataOf(bytes)}});
  if (!rows.ok() || rows->affected == 1) return rows.status();
  const Result<std::optional<Blob>> there = Get(key);
  if (!there.ok()) return there.status();
  if (*there && (*there)->bytes == bytes) return Status::Ok();  // by an earlier try
  return {Code::kAborted, url_.printable + " " + Row(guard) + ": the lock was removed, perhaps by " +
                              QuotedCommand("cancel") +
                              "; stopping, because another operation "
                              "may be running"};
}

Result<std::unique_ptr<LivenessLock>> PostgresBucket::HoldLiveness(const std::string& name) {
  auto sign = std::make_unique<PostgresLifeSign>(url_, LivenessLockId(url_.table, Row(name)));
  const Status alive = Do([&](PostgresConnection&, bool) { return sign->Renew(); });
  if (!alive.ok()) return alive;
  return std::unique_ptr<LivenessLock>(std::move(sign));
}

Result<bool> PostgresBucket::IsLive(const std::string& name) {
  const std::string number = std::to_string(LivenessLockId(url_.table, Row(name)));
  const Result<SqlRows> rows = Query(
      {"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND (classid::bigint "
       "<< 32 | objid::bigint) = $1::bigint AND database = (SELECT oid FROM pg_database WHERE datname = "
       "current_database())",
       {number}});
  if (!rows.ok()) return rows.status();
  return rows->values[0][0] != "0";
}

}  // namespace kingpost
