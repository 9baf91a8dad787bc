// SPDX-License-Identifier: Apache-2.0
// Checks PostgreSQL as a bucket. The tests with a server run if KINGPOST_TEST_POSTGRES is the URL of an empty database;
// tests/py/test_postgres.py sets it.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "remote/blob/postgres_bucket.h"
#include "remote/blob/postgres_rows.h"
#include "remote/blob/postgres_url.h"
#include "support/bucket_contract.h"

namespace kingpost::postgres_test {

Result<PostgresUrl> Parse(const std::string& url) {
  return ParsePostgresUrl(
      url, [](const std::string& name) { return name == "sslmode" || name == "host" || name == "password"; },
      [](const char*) { return std::string(); });
}

std::string ParameterOf(const PostgresUrl& url, const std::string& name) {
  std::string last = "(none)";
  for (const auto& [key, value] : url.parameters) {
    if (key == name) last = value;
  }
  return last;
}

TEST_CASE("a PostgreSQL URL has parameters for libpq, for the server and for Kingpost", "[blob]") {
  const Result<PostgresUrl> url =
      Parse("postgres://ann:p%40ss@db:5433/team?table=states&search_path=a,b&sslmode=disable&statement_timeout=5 s");
  REQUIRE(url.ok());
  CHECK(url->printable ==
        "postgres://****:****@db:5433/team?table=states&search_path=a,b&sslmode=disable&statement_timeout=5 s");
  CHECK(url->root == "team/");
  CHECK(url->table == "states");
  CHECK(ParameterOf(*url, "dbname") == "postgres://ann:p%40ss@db:5433/team");
  CHECK(ParameterOf(*url, "sslmode") == "disable");
  CHECK(ParameterOf(*url, "options") == "-c search_path=a,b -c statement_timeout=5\\ s");
  CHECK(url->Redact("password p@ss or p%40ss is wrong") == "password **** or **** is wrong");
}

TEST_CASE("a PostgreSQL URL has the reference's defaults", "[blob]") {
  const Result<PostgresUrl> url = Parse("postgres:///team?password=canary");
  REQUIRE(url.ok());
  CHECK(url->table == "pulumi_state");
  CHECK(url->printable == "postgres:///team?password=****");
  CHECK(ParameterOf(*url, "sslmode") == "require");
  CHECK(url->Redact("canary") == "****");
  CHECK(Parse("postgres://db")->root.empty());
  CHECK(Parse("postgres://db/x?table=a.b").status().message().find("search_path") != std::string::npos);
}

TEST_CASE("an @ in a password of PostgreSQL does not end it") {
  const Result<PostgresUrl> url = Parse("postgres://me:@hu@sh@@db:5433/team");
  REQUIRE(url.ok());
  CHECK(ParameterOf(*url, "dbname") == "postgres://me:%40hu%40sh%40@db:5433/team");
  CHECK(url->printable == "postgres://****:****@db:5433/team");
}

TEST_CASE("a password with an unescaped slash is refused, and not shown", "[blob]") {
  for (const char* url : {"postgres://me:hu/sh@db/team", "postgres://me:x@hu/sh@db/team"}) {
    const Status refused = Parse(url).status();
    CHECK(refused.code() == Code::kInvalidArgument);
    CHECK(refused.message().find("%2F") != std::string::npos);
    CHECK(refused.message().find("sh@") == std::string::npos);
  }
  CHECK(Parse("postgres://db/a%40b")->root == "a@b/");
}

TEST_CASE("keys in patterns and arrays mean themselves", "[blob]") {
  CHECK(PatternOf("a_b%c\\") == "a\\_b\\%c\\\\%");
  CHECK(ArrayOf({"a", "b\"\\"}) == "{\"a\",\"b\\\"\\\\\"}");
  CHECK(DataOf("\xff") == "{\"data\":\"/w==\"}");
}

std::shared_ptr<BlobBucket> ServersBucket(const std::string& more = "") {
  const char* url = std::getenv("KINGPOST_TEST_POSTGRES");
  if (!url) return nullptr;
  Result<std::shared_ptr<BlobBucket>> bucket = PostgresBucket::Open(url + more);
  REQUIRE(bucket.status().message() == "");
  return *bucket;
}

TEST_CASE("PostgreSQL keeps the contract of buckets", "[postgres]") {
  if (const auto bucket = ServersBucket("&table=contract")) CheckBucketContract(*bucket);
}

TEST_CASE("a transaction is done whole or not at all", "[postgres]") {
  const auto bucket = ServersBucket("&table=transactions");
  if (!bucket) return;
  BlobTransactions& database = *bucket->transactions();
  const auto done = database.Commit({BlobChange::Put("a", "1", PutCondition::IfAbsent()),
                                     BlobChange::RequireEmpty("locks/"), BlobChange::Put("locks/x", "{}")});
  REQUIRE(done.status().message() == "");
  CHECK((*bucket->Get("a"))->tag == (*done)[0]);
  const auto code = [&](const std::vector<BlobChange>& changes) { return database.Commit(changes).status().code(); };
  CHECK(code({BlobChange::Put("b", "2"), BlobChange::RequireEmpty("locks/")}) == Code::kFailedPrecondition);
  CHECK(code({BlobChange::Put("b", "2"), BlobChange::Require("none")}) == Code::kFailedPrecondition);
  CHECK(code({BlobChange::Put("b", "2"), BlobChange::Put("a", "2", PutCondition::IfAbsent())}) ==
        Code::kFailedPrecondition);
  CHECK(code({BlobChange::Put("b", "2"), BlobChange::Put("a", "2", PutCondition::IfTag("1"))}) ==
        Code::kFailedPrecondition);
  CHECK_FALSE(*bucket->Get("b"));
  REQUIRE(code({BlobChange::Require("locks/x"), BlobChange::Copy("a", "a.bak"),
                BlobChange::Put("a", "2", PutCondition::IfTag((*done)[0])), BlobChange::DeleteBelow("locks/")}) ==
          Code::kOk);
  CHECK((*bucket->Get("a.bak"))->bytes == "1");
  CHECK((*bucket->Get("a"))->bytes == "2");
  CHECK_FALSE(*bucket->Get("locks/x"));
}

// Ends all connections, as a network does that fails while no request is running.
void CutConnections() {
  const Result<PostgresUrl> url = Parse(std::getenv("KINGPOST_TEST_POSTGRES"));
  REQUIRE(url.ok());
  const auto connection = PostgresConnection::Open(*url);
  REQUIRE(connection.status().message() == "");
  const Result<SqlRows> cut = (*connection)
                                  ->Run({"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname "
                                         "= current_database() AND pid <> pg_backend_pid()",
                                         {}});
  REQUIRE(cut.status().message() == "");
}

TEST_CASE("a copy and a delete are done again without an answer to the first", "[postgres]") {
  const auto bucket = ServersBucket("&table=again");
  if (!bucket) return;
  for (const char* key : {"a", "run/1"}) REQUIRE(bucket->Put(key, "x", PutCondition::Always(), "").ok());
  CutConnections();
  REQUIRE(bucket->transactions()->Commit({BlobChange::Copy("a", "b"), BlobChange::DeleteBelow("run/")}).ok());
  CHECK(*bucket->Get("b"));
  CHECK_FALSE(*bucket->Get("run/1"));
}

TEST_CASE("a batch is stored only while its lock exists, and only once", "[postgres]") {
  const auto bucket = ServersBucket("&table=batches");
  if (!bucket) return;
  BlobTransactions& database = *bucket->transactions();
  CHECK(database.PutGuarded("lock", "run/1", "x").code() == Code::kAborted);
  REQUIRE(bucket->Put("lock", "{}", PutCondition::Always(), "").ok());
  CHECK(database.PutGuarded("lock", "run/1", "x").ok());
  CHECK(database.PutGuarded("lock", "run/1", "x").ok());
  CHECK(database.PutGuarded("lock", "run/1", "y").code() == Code::kAborted);
  REQUIRE(bucket->Delete("lock").ok());
  CHECK(database.PutGuarded("lock", "run/2", "x").code() == Code::kAborted);
}

TEST_CASE("a session's sign of life ends with the session", "[postgres]") {
  const auto bucket = ServersBucket("&table=lives");
  if (!bucket) return;
  BlobTransactions& database = *bucket->transactions();
  CHECK_FALSE(*database.IsLive("x"));
  {
    const auto sign = database.HoldLiveness("x");
    REQUIRE(sign.status().message() == "");
    CHECK((*sign)->certain());
    CHECK(*database.IsLive("x"));
    CHECK_FALSE(*database.IsLive("y"));
  }
  for (int i = 0; i < 1200 && *database.IsLive("x"); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_FALSE(*database.IsLive("x"));
}

TEST_CASE("a life sign goes on though the server has not noticed that its former session is cut off", "[postgres]") {
  const auto bucket = ServersBucket("&table=lives");
  if (!bucket) return;
  BlobTransactions& database = *bucket->transactions();
  auto former = database.HoldLiveness("z");
  const auto sign = database.HoldLiveness("z");
  REQUIRE(sign.status().message() == "");
  former->reset();
  // Sessions end in their order: when that of another sign has, the former one has ended, too.
  { REQUIRE(database.HoldLiveness("after").ok()); }
  for (int i = 0; i < 1200 && *database.IsLive("after"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(*database.IsLive("z"));
}

TEST_CASE("one of many writers that create the same key wins", "[postgres]") {
  const auto bucket = ServersBucket("&table=racing");
  if (!bucket) return;
  std::atomic<int> won{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      if (bucket->Put("k", std::to_string(i), PutCondition::IfAbsent(), "").ok()) ++won;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(won == 1);
}

}  // namespace kingpost::postgres_test
