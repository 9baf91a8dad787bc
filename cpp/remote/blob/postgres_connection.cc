// SPDX-License-Identifier: Apache-2.0
#include "remote/blob/postgres_connection.h"

#include <cstdlib>

namespace kingpost {

namespace {

// PostgreSQL's own classes of errors, five characters each.
Code CodeOf(const std::string& state) {
  if (state == "42P01") return Code::kNotFound;            // undefined table
  if (state == "22012") return Code::kFailedPrecondition;  // division by zero
  if (state == "42501") return Code::kPermissionDenied;
  if (state == "40001" || state == "40P01" || state == "25006") return Code::kUnavailable;
  const std::string group = state.substr(0, 2);
  if (group == "28") return Code::kUnauthenticated;
  if (group == "08" || group == "53" || group == "57") return Code::kUnavailable;
  return Code::kUnknown;
}

std::string OneLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return text;
}

}  // namespace

Result<std::unique_ptr<PostgresConnection>> PostgresConnection::Open(const PostgresUrl& url) {
  const Result<const PqLibrary*> pq = PqLibrary::Get();
  if (!pq.ok()) return pq.status();
  std::vector<const char*> names, values;
  for (const auto& [name, value] : url.parameters) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  std::unique_ptr<PostgresConnection> connection(
      new PostgresConnection(**pq, url, (*pq)->connect(names.data(), values.data(), /*expand_dbname=*/1)));
  if (Status ready = connection->Prepare(); !ready.ok()) return ready;
  return connection;
}

PostgresConnection::~PostgresConnection() { pq_.finish(connection_); }

Status PostgresConnection::Prepare() {
  if (pq_.status(connection_) != CONNECTION_OK) {
    const std::string why = OneLine(pq_.error_message(connection_));
    // A refused user is refused next time too.
    const bool refused = why.find("password") != why.npos || why.find("authentication") != why.npos ||
                         why.find("does not exist") != why.npos || why.find("does not support SSL") != why.npos ||
                         why.find("configuration parameter") != why.npos || why.find("invalid") != why.npos;
    const std::string hint = why.find("does not support SSL") != why.npos
                                 ? "; without TLS only if you say so, with sslmode=disable in the URL"
                                 : "";
    return {refused ? Code::kUnauthenticated : Code::kUnavailable,
            url_.Redact("cannot connect to " + url_.printable + ": " + why + hint)};
  }
  pq_.set_notice_processor(
      connection_, [](void*, const char*) {}, nullptr);
  // An acknowledged statement is on the disk, whatever the default of the database.
  const Result<SqlRows> session =
      Run({"SELECT pg_backend_pid(), CASE WHEN current_setting('synchronous_commit') = 'off' THEN "
           "set_config('synchronous_commit', 'on', false) END",
           {}});
  if (!session.ok()) return session.status();
  // A pooler answers for a server that it chooses anew with each transaction.
  pooled_ = session->values[0][0] != std::to_string(pq_.backend_pid(connection_));
  return Status::Ok();
}

Status PostgresConnection::Broken() const {
  return {Code::kUnavailable, url_.Redact(url_.printable + ": " + OneLine(pq_.error_message(connection_)))};
}

Status PostgresConnection::ErrorOf(const PGresult* result) const {
  const char* state = pq_.result_error_field(result, PG_DIAG_SQLSTATE);
  const char* message = pq_.result_error_field(result, PG_DIAG_MESSAGE_PRIMARY);
  if (pq_.status(connection_) != CONNECTION_OK && !state) return Broken();
  const std::string text = message ? message : pq_.error_message(connection_);
  return {state ? CodeOf(state) : Code::kUnavailable, url_.Redact(url_.printable + ": " + OneLine(text))};
}

SqlRows PostgresConnection::RowsOf(const PGresult* result) const {
  SqlRows rows;
  rows.affected = std::atoll(pq_.affected(const_cast<PGresult*>(result)));
  for (int row = 0; row < pq_.rows(result); ++row) {
    std::vector<std::string>& values = rows.values.emplace_back();
    for (int column = 0; column < pq_.columns(result); ++column) {
      values.emplace_back(pq_.value(result, row, column), static_cast<size_t>(pq_.length(result, row, column)));
    }
  }
  return rows;
}

Status PostgresConnection::Send(const SqlStatement& statement) {
  std::vector<const char*> values;
  for (const std::string& parameter : statement.parameters) values.push_back(parameter.c_str());
  const int sent = pq_.send_query(connection_, statement.text.c_str(), static_cast<int>(values.size()), nullptr,
                                  values.data(), nullptr, nullptr, /*resultFormat=*/0);
  return sent == 1 ? Status::Ok() : Broken();
}

// All results of one statement; the first failure of them.
Result<SqlRows> PostgresConnection::Receive() {
  Result<SqlRows> received{Broken()};
  bool first = true;
  while (PGresult* result = pq_.get_result(connection_)) {
    const ExecStatusType status = pq_.result_status(result);
    if (first) {
      const bool good = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_PIPELINE_SYNC;
      received = good ? Result<SqlRows>(RowsOf(result)) : Result<SqlRows>(ErrorOf(result));
      first = false;
    }
    pq_.clear(result);
    if (status == PGRES_PIPELINE_SYNC) break;
  }
  return received;
}

Result<SqlRows> PostgresConnection::Run(const SqlStatement& statement) {
  const Status sent = Send(statement);
  return sent.ok() ? Receive() : sent;
}

// All statements before a sync are one transaction, without BEGIN and COMMIT.
Result<std::vector<SqlRows>> PostgresConnection::RunAll(const std::vector<SqlStatement>& statements) {
  if (pq_.enter_pipeline(connection_) != 1) return Broken();
  for (const SqlStatement& statement : statements) {
    if (Status sent = Send(statement); !sent.ok()) return sent;
  }
  if (pq_.pipeline_sync(connection_) != 1) return Broken();
  std::vector<SqlRows> rows;
  Status failure;
  for (size_t i = 0; i < statements.size(); ++i) {
    Result<SqlRows> received = Receive();
    if (failure.ok() && !received.ok()) failure = received.status();
    if (received.ok()) rows.push_back(*std::move(received));
  }
  const Result<SqlRows> synced = Receive();
  if (pq_.exit_pipeline(connection_) != 1) return Broken();
  if (failure.ok() && !synced.ok()) failure = synced.status();
  return failure.ok() ? Result<std::vector<SqlRows>>(std::move(rows)) : failure;
}

}  // namespace kingpost
