// SPDX-License-Identifier: Apache-2.0
// Checks the bytes of a journal, which are a promise: the next version reads them, and a version refuses what it cannot
// read.
#include <catch2/catch.hpp>

#include "base/encoding.h"
#include "journal/journal.h"
#include "journal/record.h"

namespace kingpost::format_test {

std::string JournalWith(const std::string& header) {
  std::string bytes = EncodePreamble(9);
  AppendRecord(9, 0, 0, header, &bytes);
  return bytes;
}

TEST_CASE("the first bytes of a journal are as they always were", "[journal]") {
  CHECK(Crc32c(0, "123456789") == 0xE3069283);
  CHECK(HexEncode(EncodePreamble(0x01020304)) == "4b504a524e4c000104030201ea4ad31b");
}

TEST_CASE("a journal of another version is refused, with the remedy", "[journal]") {
  REQUIRE(ParseJournal(JournalWith(R"({"version":1,"stack":"o/p/s"})"), {}).ok());
  for (const char* header : {R"({"version":2,"stack":"o/p/s"})", R"({"stack":"o/p/s"})"}) {
    const Status refused = ParseJournal(JournalWith(header), {}).status();
    CHECK(refused.code() == Code::kUnimplemented);
    CHECK(refused.message().find("use the version that wrote it") != std::string::npos);
  }
}

TEST_CASE("entries of unknown kinds are refused", "[journal]") {
  REQUIRE(DecodeEntry(R"({"version":1,"kind":2,"operationID":1})", {}).ok());
  CHECK(DecodeEntry(R"({"version":1,"kind":55,"operationID":1})", {}).status().message() ==
        "entries of kind 55 are unknown");
  CHECK(DecodeEntry(R"({"version":1,"operationID":1})", {}).status().message() == "entries of kind -1 are unknown");
}

TEST_CASE("entries of unknown operations, or without a resource, are refused", "[journal]") {
  const auto refusal = [](const std::string& operation) {
    return DecodeEntry(R"({"version":1,"kind":0,"operationID":1,"operation":)" + operation + "}", {})
        .status()
        .message();
  };
  const std::string resource = R"("resource":{"urn":"urn:pulumi:s::p::a:b:C::n","type":"a:b:C"})";
  CHECK(refusal(R"({"type":"creating",)" + resource + "}").empty());
  CHECK(refusal(R"({"type":"dancing",)" + resource + "}") == "the type of the operation is unknown");
  CHECK(refusal("{" + resource + "}") == "the type of the operation is unknown");
  CHECK(refusal(R"({"type":"creating"})") == "the operation has no resource");
}

TEST_CASE("a state migration is written with all that a replay needs, and read again", "[journal]") {
  const Urn a("urn:pulumi:s::p::a:b:C::a"), b("urn:pulumi:s::p::a:b:C::b");
  const auto named = [](const Urn& urn) {
    auto state = std::make_shared<State>();
    state->urn = urn;
    state->type = "a:b:C";
    return StatePtr(state);
  };
  JournalEntry entry;
  entry.kind = EntryKind::kStateMigration;
  entry.sequence = 7;
  entry.migration = std::make_shared<const StateMigrationEntry>(
      StateMigrationEntry{{3, 5}, {named(b)}, {{a, b}}, {{1, 0, named(a)}, {-1, 4, named(a)}}});
  const Result<std::string> json = EncodeEntry(entry, {});
  REQUIRE(json.ok());
  const std::string state_a = R"({"urn":"urn:pulumi:s::p::a:b:C::a","custom":false,"type":"a:b:C"})";
  const std::string state_b = R"({"urn":"urn:pulumi:s::p::a:b:C::b","custom":false,"type":"a:b:C"})";
  CHECK(*json == R"({"version":1,"kind":102,"sequenceID":7,"operationID":0,"removeOld":null,"removeNew":null,)"
                 R"("migration":{"replaces":[3,5],"result":[)" +
                     state_b +
                     R"(],"successors":{"urn:pulumi:s::p::a:b:C::a":"urn:pulumi:s::p::a:b:C::b"},)"
                     R"("rewritten":[{"old":1,"state":)" +
                     state_a + R"(},{"new":4,"state":)" + state_a + "}]}}");
  const Result<JournalEntry> read = DecodeEntry(*json, {});
  REQUIRE(read.ok());
  const StateMigrationEntry& migration = *read->migration;
  CHECK(migration.replaces == std::vector<int64_t>{3, 5});
  CHECK(migration.result.at(0)->urn == b);
  CHECK(migration.successors == std::map<Urn, Urn>{{a, b}});
  CHECK(migration.rewritten.at(0).old_index == 1);
  CHECK(migration.rewritten.at(1).operation == 4);
  CHECK(migration.rewritten.at(1).state->urn == a);
}

}  // namespace kingpost::format_test
