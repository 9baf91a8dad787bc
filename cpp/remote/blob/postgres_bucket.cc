// SPDX-License-Identifier: Apache-2.0
// The calls of every bucket; what only a database can do is in postgres_transactions.cc.
#include "remote/blob/postgres_bucket.h"

#include <chrono>
#include <random>
#include <thread>

#include "base/os.h"
#include "base/wait_scope.h"
#include "remote/blob/postgres_rows.h"

namespace kingpost {

namespace {

constexpr int kTries = 7;       // some seconds: a server that is started anew
constexpr int kFirstTries = 2;  // of one that was never met
constexpr int kFirstPauseMs = 100;

// So that many who lost their server do not come back at the same instant.
void PauseBefore(int attempt) {
  static thread_local std::minstd_rand random(std::random_device{}());
  const int longest = kFirstPauseMs << attempt;
  std::this_thread::sleep_for(std::chrono::milliseconds(longest / 2 + static_cast<int>(random() % (longest / 2))));
}

bool LibpqKnows(const std::string& name) {
  const Result<const PqLibrary*> pq = PqLibrary::Get();
  if (!pq.ok()) return true;  // connecting says what is missing
  PQconninfoOption* const options = (*pq)->defaults();
  bool known = false;
  for (const PQconninfoOption* option = options; option && option->keyword; ++option) {
    known = known || name == option->keyword;
  }
  (*pq)->free_defaults(options);
  return known;
}

}  // namespace

Result<std::shared_ptr<BlobBucket>> PostgresBucket::Open(const std::string& url) {
  Result<PostgresUrl> parsed = ParsePostgresUrl(url, LibpqKnows, GetEnvironment);
  if (!parsed.ok()) return parsed.status();
  return std::shared_ptr<BlobBucket>(std::make_shared<PostgresBucket>(*std::move(parsed)));
}

std::string PostgresBucket::Sql(std::string text) const {
  const std::string word = "TABLE_";
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at))
    text.replace(at, word.size(), url_.table);
  return text;
}

Result<std::unique_ptr<PostgresConnection>> PostgresBucket::Take() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<PostgresConnection> connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
  }
  return PostgresConnection::Open(url_);
}

// Two may make it at the same time, and the slower one gets the error that it is there: the next try finds out.
Status PostgresBucket::MakeTable(PostgresConnection& connection) {
  const Result<SqlRows> table =
      connection.Run({Sql("CREATE TABLE IF NOT EXISTS TABLE_ (key text PRIMARY KEY, data json NOT NULL, updated_at "
                          "timestamptz NOT NULL DEFAULT now())"),
                      {}});
  if (table.status().code() == Code::kPermissionDenied) {
    return table.status().Wrap("the table " + url_.table +
                               " does not exist, and the role may not create it (GRANT CREATE ON SCHEMA, or create the "
                               "table as docs/backends.md shows)");
  }
  const Result<SqlRows> index =
      connection.Run({Sql("CREATE INDEX IF NOT EXISTS TABLE__key_prefix_idx ON TABLE_ (key text_pattern_ops)"), {}});
  return Status::Ok();
}

Status PostgresBucket::Do(const Work& work) {
  Status status;
  bool lost = false;
  const WaitScope waiting(url_.printable);
  for (int attempt = 0; attempt < (met_ ? kTries : kFirstTries); ++attempt) {
    if (attempt > 0) PauseBefore(attempt);
    Result<std::unique_ptr<PostgresConnection>> connection = Take();
    status = connection.status();
    if (status.ok()) {
      met_ = true;
      status = work(**connection, lost);
    }
    if (status.code() == Code::kNotFound && connection.ok()) {
      if (Status made = MakeTable(**connection); !made.ok()) return made;
      status = work(**connection, lost);
    }
    if (status.code() != Code::kUnavailable) {
      if (!connection.ok()) return status;
      const std::lock_guard<std::mutex> lock(mutex_);
      idle_.push_back(*std::move(connection));
      return status;
    }
    lost = lost || connection.ok();
    // Others that are idle are of the same server, and as broken.
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.clear();
  }
  return status;
}

Result<SqlRows> PostgresBucket::Query(const SqlStatement& statement) {
  Result<SqlRows> rows{SqlRows()};
  const Status done = Do([&](PostgresConnection& connection, bool) {
    rows = connection.Run(statement);
    return rows.status();
  });
  return done.ok() ? std::move(rows) : done;
}

Result<std::optional<Blob>> PostgresBucket::Get(const std::string& key) {
  const Result<SqlRows> rows =
      Query({Sql(std::string("SELECT ") + kBlobColumns + " FROM TABLE_ WHERE key = $1"), {Row(key)}});
  if (!rows.ok()) return rows.status();
  if (rows->values.empty()) return std::optional<Blob>();
  Result<Blob> blob = BlobOf(url_.printable + " " + Row(key), rows->values[0]);
  return blob.ok() ? Result<std::optional<Blob>>(*std::move(blob)) : blob.status();
}

Result<std::vector<std::optional<Blob>>> PostgresBucket::GetMany(const std::vector<std::string>& keys) {
  std::vector<std::optional<Blob>> blobs(keys.size());
  if (keys.empty()) return blobs;
  std::vector<std::string> wanted;
  for (const std::string& key : keys) wanted.push_back(Row(key));
  const Result<SqlRows> rows =
      Query({Sql(std::string("SELECT key, ") + kBlobColumns + " FROM TABLE_ WHERE key = ANY($1::text[])"),
             {ArrayOf(wanted)}});
  if (!rows.ok()) return rows.status();
  for (const std::vector<std::string>& row : rows->values) {
    Result<Blob> blob = BlobOf(url_.printable + " " + row[0], row, 1);
    if (!blob.ok()) return blob.status();
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] == row[0]) blobs[i] = *blob;
    }
  }
  return blobs;
}

Result<std::string> PostgresBucket::Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                                        const std::string&) {
  std::string tag;
  const SqlStatement statement = StatementOf(BlobChange::Put(key, std::string(bytes), condition));
  const Status put = Do([&](PostgresConnection& connection, bool again) {
    Result<SqlRows> rows = connection.Run(statement);
    if (rows.ok()) tag = rows->values[0][0];
    if (rows.status().code() != Code::kFailedPrecondition || !again) return rows.status();
    const Result<std::vector<std::string>> tags = TagsIfDone(connection, {BlobChange::Put(key, std::string(bytes))});
    if (tags.ok()) tag = (*tags)[0];
    return tags.status();
  });
  if (put.code() == Code::kFailedPrecondition) {
    return Status(put.code(), url_.printable + " " + Row(key) + ": the row has changed since it was read");
  }
  return put.ok() ? Result<std::string>(tag) : put.Wrap(Row(key));
}

Status PostgresBucket::Copy(const std::string& from, const std::string& to) {
  const Result<SqlRows> rows = Query(StatementOf(BlobChange::Copy(from, to)));
  if (!rows.ok() || rows->affected > 0) return rows.status();
  return {Code::kNotFound, url_.printable + " " + Row(from) + ": no such row"};
}

Status PostgresBucket::Delete(const std::string& key) { return Query(StatementOf(BlobChange::Delete(key))).status(); }

Status PostgresBucket::DeleteIf(const std::string& key, const std::string& tag) {
  const Status deleted = Query(StatementOf(BlobChange::Delete(key, PutCondition::IfTag(tag)))).status();
  if (deleted.code() != Code::kFailedPrecondition) return deleted;
  const Result<std::optional<Blob>> there = Get(key);
  if (!there.ok()) return there.status();
  if (!*there) return Status::Ok();
  return {Code::kFailedPrecondition, url_.printable + " " + Row(key) + ": the row has changed since it was read"};
}

Status PostgresBucket::DeleteMany(const std::vector<std::string>& keys) {
  if (keys.empty()) return Status::Ok();
  std::vector<std::string> rows;
  for (const std::string& key : keys) rows.push_back(Row(key));
  return Query({Sql("DELETE FROM TABLE_ WHERE key = ANY($1::text[])"), {ArrayOf(rows)}}).status();
}

Result<std::vector<BlobInfo>> PostgresBucket::List(const std::string& prefix, bool one_level) {
  // Keys are kept in the order of bytes, which that of the database's language may not be.
  const std::string begin = Row(prefix);
  const Result<SqlRows> rows =
      Query({Sql("SELECT key, (extract(epoch FROM updated_at) * 1000)::bigint FROM TABLE_ WHERE key LIKE $1 AND ($2 = "
                 "'all' OR strpos(substr(key, length($3::text) + 1), '/') = 0) ORDER BY key COLLATE \"C\""),
             {PatternOf(begin), one_level ? "one" : "all", begin}});
  if (!rows.ok()) return rows.status();
  std::vector<BlobInfo> listed;
  for (const std::vector<std::string>& row : rows->values) {
    listed.push_back({row[0].substr(url_.root.size()), 0, std::atoll(row[1].c_str())});
  }
  return listed;
}

}  // namespace kingpost
