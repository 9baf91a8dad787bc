// SPDX-License-Identifier: Apache-2.0
// Checks what an operation leaves: state and history, and no lock or journal. Where saving fails, it leaves all that
// recovery needs.
#include "operation/driver.h"

#include <catch2/catch.hpp>

#include "base/json_access.h"
#include "journal/bench.h"
#include "operation/bystander.h"

namespace kingpost::driver_test {

using testing::Bench;
using testing::Bystander;
using testing::kStack;
using testing::Names;
using testing::TestState;

OperationResult Made(const std::string& name) {
  OperationResult result;
  result.snapshot = testing::TestSnapshot({TestState(name)});
  result.changes["create"] = 1;
  return result;
}

// An operation on a stack that holds "a".
class Fixture {
 public:
  explicit Fixture(StateStore* store = nullptr) {
    loaded.context = testing::ContextFor(store ? *store : *bench.store(), kStack, bystander);
    loaded.secrets = *OpenSecretsManager("b64", "null", loaded.context.passphrase);
    loaded.options.kind = OperationKind::kDestroy;
    REQUIRE(TakeStack(&loaded, true).ok());
    REQUIRE(LoadBase(&loaded).ok());
    real.run = [this](Recorder* recorder) -> const OperationResult& {
      CHECK(recorder != nullptr);
      CHECK(bystander.saving == 1);
      CHECK(bench.HasJournal());
      return result;
    };
    real.facts = [this] {
      saved_when_asked = Names(bench.Saved().resources);
      return HistoryFacts{"because", {{"exec.kind", "test"}}, {{"project:key", "value"}}};
    };
  }
  RunEndStatus Run() { return RunJournaled(loop, &loaded, real); }
  nlohmann::json LastRecord() {
    const auto history = bench.store()->ReadHistory(kStack, 1, 1);
    REQUIRE(history.ok());
    return history->empty() ? nlohmann::json() : ParseJson(history->front());
  }

  Loop loop;
  Bench bench{testing::TestSnapshot({TestState("a")})};
  Bystander bystander;
  LoadedOperation loaded;
  OperationResult result = Made("b");
  JournaledRun real;
  std::string saved_when_asked = "never asked";
};

TEST_CASE("an operation leaves its state, its history, no journal and no lock", "[operation]") {
  Fixture fixture;
  const RunEndStatus ending = fixture.Run();
  CHECK(ending.recorded.message() == "");
  CHECK(ending.released.message() == "");
  CHECK(Names(fixture.bench.Saved().resources) == "b");
  CHECK_FALSE(fixture.bench.HasJournal());
  CHECK(fixture.bench.store()->Locks(kStack)->empty());
  CHECK(fixture.bystander.saving == 0);
  CHECK(fixture.saved_when_asked == "b");
  const nlohmann::json record = fixture.LastRecord();
  CHECK(TextOf(record, "kind") == "destroy");
  CHECK(TextOf(record, "result") == "succeeded");
  CHECK(TextOf(record, "message") == "because");
  CHECK(record["resourceChanges"] == nlohmann::json{{"create", 1}});
  CHECK(*LastRecordedConfig(*fixture.bench.store(), kStack) == ConfigMap{{"project:key", "value"}});
}

TEST_CASE("an operation that changed nothing leaves the checkpoint as it was", "[operation]") {
  Fixture fixture;
  fixture.result = OperationResult();
  const std::string before = *fixture.loaded.document;
  CHECK(fixture.Run().recorded.ok());
  CHECK(fixture.bench.store()->Load(kStack)->bytes == before);
  CHECK_FALSE(fixture.bench.HasJournal());
  CHECK(TextOf(fixture.LastRecord(), "kind") == "destroy");
}

TEST_CASE("the history has nothing of a stack that was never saved", "[operation]") {
  Fixture fixture;
  fixture.loaded.document = std::make_shared<const std::string>();
  fixture.result = OperationResult();
  CHECK(fixture.Run().recorded.ok());
  CHECK(fixture.LastRecord().is_null());
  CHECK(fixture.bystander.warnings.empty());
}

TEST_CASE("a failed operation is saved, and reported as failed", "[operation]") {
  Fixture fixture;
  fixture.result.status = Status(Code::kUnknown, "no space on the moon");
  CHECK(fixture.Run().recorded.ok());
  CHECK(Names(fixture.bench.Saved().resources) == "b");
  CHECK(TextOf(fixture.LastRecord(), "result") == "failed");
}

TEST_CASE("a state that cannot be saved is put aside, and the journal stays", "[operation]") {
  Fixture fixture;
  const auto faulty = NewFaultyStore(fixture.bench.store(), {.fail_at = 1, .fail_after = true});
  fixture.loaded.context.store = faulty.get();
  const RunEndStatus ending = fixture.Run();
  const std::string message = ending.recorded.message();
  INFO(message);
  CHECK(message.starts_with("could not save the state: "));
  const size_t at = message.find("a copy of the new state is in ") + 30;
  CHECK(std::filesystem::exists(message.substr(at, message.find(';', at) - at)));
  CHECK(fixture.bench.HasJournal());
  CHECK(Names(fixture.bench.Saved().resources) == "a");
  CHECK(fixture.saved_when_asked == "never asked");
  CHECK(fixture.LastRecord().is_null());
}

TEST_CASE("a history that cannot be written is reported, and fails no operation", "[operation]") {
  Fixture fixture;
  const auto faulty = NewFaultyStore(fixture.bench.store(), {.fail_at = 2, .fail_after = true});
  fixture.loaded.context.store = faulty.get();
  CHECK(fixture.Run().recorded.message() == "");
  CHECK(Names(fixture.bench.Saved().resources) == "b");
  REQUIRE(fixture.bystander.warnings.size() >= 1);
  CHECK(fixture.bystander.warnings[0].starts_with("could not write the history: "));
}

TEST_CASE("a state encrypted with another key is read with that key and saved with the stack's own", "[operation]") {
  Bench bench(testing::TestSnapshot({}));
  const auto theirs = NewPassphraseManager(FixedPassphrase("open sesame"));
  const auto ours = NewPassphraseManager(FixedPassphrase("open sesame"));
  Snapshot snapshot =
      testing::TestSnapshot({TestState("a", [](State* state) { state->outputs.Set("word", Value::Secret("hush")); })});
  snapshot.secrets_type = (*theirs)->type();
  snapshot.secrets_state_json = (*theirs)->state();
  EncodeOptions encode;
  encode.secrets = theirs->get();
  Bystander bystander;
  LoadedOperation loaded;
  loaded.context = testing::ContextFor(*bench.store(), kStack, bystander);
  loaded.secrets = *ours;
  loaded.document = std::make_shared<const std::string>(
      *EncodeCheckpoint({.stack = kStack.str(), .has_latest = true, .snapshot = snapshot}, encode));
  REQUIRE(LoadBase(&loaded).message() == "");
  CHECK(loaded.base->resources[0]->outputs.Find("word")->as_secret().element.as_string() == "hush");
  CHECK(loaded.base->secrets_state_json == (*ours)->state());
}

TEST_CASE("a state that is not in order is refused with the way out, unless it is accepted", "[operation]") {
  Bench bench(testing::TestSnapshot({TestState("a"), TestState("a")}));
  Bystander bystander;
  LoadedOperation loaded;
  loaded.context = testing::ContextFor(*bench.store(), kStack, bystander);
  loaded.context.broken_remedy = "ask somebody";
  loaded.secrets = *OpenSecretsManager("b64", "null", loaded.context.passphrase);
  REQUIRE(TakeStack(&loaded, false).ok());
  CHECK(LoadBase(&loaded).message().starts_with("the state of stack 'stack' is not in order (ask somebody): "));
  loaded.context.accept_broken = true;
  CHECK(LoadBase(&loaded).ok());
}

}  // namespace kingpost::driver_test
