// SPDX-License-Identifier: Apache-2.0
// One connection to PostgreSQL. Blocking; one thread at a time.
//
// Failures by code. Unavailable: the connection is broken or the server asks to try again. NotFound: the table is not
// there. FailedPrecondition: a statement divided by zero, which is how ours say that a condition does not hold. None of
// them has a password in it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "remote/blob/postgres_url.h"
#include "remote/blob/pq_library.h"

namespace kingpost {

struct SqlStatement {
  std::string text;
  std::vector<std::string> parameters;  // $1, $2, ... as texts
};

struct SqlRows {
  std::vector<std::vector<std::string>> values;
  int64_t affected = 0;
};

class PostgresConnection {
 public:
  static Result<std::unique_ptr<PostgresConnection>> Open(const PostgresUrl& url);
  ~PostgresConnection();
  PostgresConnection(const PostgresConnection&) = delete;

  Result<SqlRows> Run(const SqlStatement& statement);
  // One transaction, and one round trip.
  Result<std::vector<SqlRows>> RunAll(const std::vector<SqlStatement>& statements);
  // Whether a pooler stands between us and the server, which lends its sessions to others too.
  bool pooled() const { return pooled_; }

 private:
  PostgresConnection(const PqLibrary& pq, const PostgresUrl& url, PGconn* connection)
      : pq_(pq), url_(url), connection_(connection) {}
  Status Prepare();
  Status Send(const SqlStatement& statement);
  Result<SqlRows> Receive();
  SqlRows RowsOf(const PGresult* result) const;
  Status ErrorOf(const PGresult* result) const;
  Status Broken() const;

  const PqLibrary& pq_;
  const PostgresUrl url_;
  PGconn* const connection_;
  bool pooled_ = false;
};

}  // namespace kingpost
