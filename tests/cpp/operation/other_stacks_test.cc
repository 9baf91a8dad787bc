// SPDX-License-Identifier: Apache-2.0
// Checks that a run reads another stack once, and does not block the loop meanwhile.
#include "operation/other_stacks.h"

#include <catch2/catch.hpp>
#include <future>

#include "journal/bench.h"
#include "operation/bystander.h"

namespace kingpost::other_stacks_test {

using testing::Bystander;
using testing::Names;
using testing::TestState;

const StackName kOurs = {"organization", "project", "own"};
const StackName kOther = {"organization", "project", "other"};

// A loop, and a store with one other stack.
class Fixture {
 public:
  Fixture() {
    const Snapshot snapshot = testing::TestSnapshot({TestState("there")});
    REQUIRE(store->Save(kOther, testing::Bench::Encode(snapshot)).ok());
  }
  std::unique_ptr<OtherStacks> Open(std::shared_ptr<PassphraseSource> passphrase = nullptr) {
    StackContext context = testing::ContextFor(*store, kOurs, bystander);
    if (passphrase) context.passphrase = std::move(passphrase);
    return std::make_unique<OtherStacks>(loop, std::move(context), "project");
  }

  Loop loop;
  const std::unique_ptr<StateStore> store = NewMemoryStore();
  Bystander bystander;
};

Task<void> Read(OtherStacks* others, std::string name, std::vector<std::string>* read) {
  const OtherStacks::Loaded loaded = co_await others->Load(std::move(name), StackPart::kOutputs);
  read->push_back(loaded.ok() ? Names((*loaded)->resources) : loaded.status().message());
}

Task<void> ReadTogether(Loop* loop, OtherStacks* others, std::vector<std::string> names,
                        std::vector<std::string>* read) {
  Group group(*loop);
  for (const std::string& name : names) group.Spawn(Read(others, name, read));
  co_await group.Wait();
}

TEST_CASE("another stack goes by its short and its full name", "[operation]") {
  Fixture fixture;
  const auto others = fixture.Open();
  std::vector<std::string> read;
  fixture.loop.RunUntilDone(ReadTogether(&fixture.loop, others.get(), {"other", "organization/project/other"}, &read));
  CHECK(read == std::vector<std::string>{"there", "there"});
}

TEST_CASE("a stack that is not there, and a name that cannot be one", "[operation]") {
  Fixture fixture;
  const auto others = fixture.Open();
  std::vector<std::string> read;
  fixture.loop.RunUntilDone(Read(others.get(), "missing", &read));
  fixture.loop.RunUntilDone(Read(others.get(), "a/b/c/d", &read));
  REQUIRE(read.size() == 2);
  CHECK(read[0] == "unknown stack \"missing\"");
  CHECK(read[1] == StackName::Parse("a/b/c/d", "project").status().message());
}

TEST_CASE("a stack is read once in a run, however many ask and whatever changes", "[operation]") {
  Fixture fixture;
  const auto others = fixture.Open();
  std::vector<std::string> read;
  fixture.loop.RunUntilDone(ReadTogether(&fixture.loop, others.get(), {"other", "other", "other"}, &read));
  const Snapshot later = testing::TestSnapshot({TestState("later")});
  REQUIRE(fixture.store->Save(kOther, testing::Bench::Encode(later)).ok());
  fixture.loop.RunUntilDone(Read(others.get(), "other", &read));
  CHECK(read == std::vector<std::string>(4, "there"));
  const auto next_run = fixture.Open();
  fixture.loop.RunUntilDone(Read(next_run.get(), "other", &read));
  CHECK(read.back() == "later");
}

// Answers once the loop has done something else.
class SlowPassphrase final : public PassphraseSource {
 public:
  Result<std::string> Read(const std::string&) override {
    asked.set_value();
    loop_went_on.get_future().wait();
    return std::string("open sesame");
  }
  std::promise<void> asked, loop_went_on;
};

// The other stack, under a passphrase; `outputs` are those of the stack itself.
void SaveEncrypted(Fixture* fixture, const PropertyMap& outputs) {
  const auto secrets = NewPassphraseManager(FixedPassphrase("open sesame"));
  REQUIRE(secrets.ok());
  Snapshot snapshot = testing::TestSnapshot(
      {TestState("there", [](State* state) { state->outputs.Set("word", Value::Secret("hush")); }),
       TestState("root", [&outputs](State* state) {
         state->urn = Urn::Make("other", "project", "", kRootStackType, "project-other");
         state->type = kRootStackType;
         state->custom = false;
         state->id.clear();
         state->provider.clear();
         state->outputs = outputs;
       })});
  snapshot.secrets_type = (*secrets)->type();
  snapshot.secrets_state_json = (*secrets)->state();
  EncodeOptions encode;
  encode.secrets = secrets->get();
  const auto bytes = EncodeCheckpoint({.stack = kOther.str(), .has_latest = true, .snapshot = snapshot}, encode);
  REQUIRE(bytes.ok());
  REQUIRE(fixture->store->Save(kOther, *bytes).ok());
}

const Value& OutputOf(const OtherStacks::Loaded& loaded, size_t resource, const char* key) {
  REQUIRE(loaded.ok());
  const Value* value = (*loaded)->resources.at(resource)->outputs.Find(key);
  REQUIRE(value);
  return *value;
}

TEST_CASE("the loop keeps running while a worker waits for a passphrase and derives the key", "[operation]") {
  Fixture fixture;
  SaveEncrypted(&fixture, {});
  const auto slow = std::make_shared<SlowPassphrase>();
  const auto others = fixture.Open(slow);
  fixture.loop.PostAfter(std::chrono::milliseconds(1), [&] {
    slow->asked.get_future().wait();  // the worker waits for the passphrase
    slow->loop_went_on.set_value();   // would never be reached if the loop itself waited
  });
  const OtherStacks::Loaded loaded = fixture.loop.RunUntilDone(others->Load("other", StackPart::kResources));
  REQUIRE(loaded.ok());
  CHECK(OutputOf(loaded, 0, "word").as_secret().element.as_string() == "hush");
}

TEST_CASE("a stack without secrets needs no passphrase of its own", "[operation]") {
  Fixture fixture;
  const auto others = fixture.Open(FixedPassphrase("not its own"));
  std::vector<std::string> read;
  fixture.loop.RunUntilDone(Read(others.get(), "other", &read));
  CHECK(read == std::vector<std::string>{"there"});
}

class NoPassphrase final : public PassphraseSource {
 public:
  Result<std::string> Read(const std::string&) override {
    asked = true;
    return Status(Code::kUnauthenticated, "nobody knows it");
  }
  bool asked = false;
};

TEST_CASE("outputs in clear need no key, whatever else the stack keeps secret", "[operation]") {
  Fixture fixture;
  SaveEncrypted(&fixture, {{"plain", "ten"}});
  const auto source = std::make_shared<NoPassphrase>();
  const auto others = fixture.Open(source);
  const OtherStacks::Loaded loaded = fixture.loop.RunUntilDone(others->Load("other", StackPart::kOutputs));
  CHECK(OutputOf(loaded, 1, "plain").as_string() == "ten");
  CHECK_FALSE(source->asked);
}

TEST_CASE("secrets with an unknown passphrase stay sealed, and other outputs are read", "[operation]") {
  Fixture fixture;
  SaveEncrypted(&fixture, {{"plain", "ten"}, {"hidden", Value::Secret("hush")}});
  const auto others = fixture.Open(FixedPassphrase("not its own"));
  for (const StackPart part : {StackPart::kOutputs, StackPart::kResources}) {
    const OtherStacks::Loaded loaded = fixture.loop.RunUntilDone(others->Load("other", part));
    CHECK(OutputOf(loaded, 1, "plain").as_string() == "ten");
    CHECK(OutputOf(loaded, 1, "hidden").as_secret().sealed);
  }
}

TEST_CASE("only the requested outputs are decrypted", "[operation]") {
  Fixture fixture;
  SaveEncrypted(&fixture, {{"hidden", Value::Secret("hush")}});
  const auto others = fixture.Open(FixedPassphrase("open sesame"));
  const OtherStacks::Loaded outputs = fixture.loop.RunUntilDone(others->Load("other", StackPart::kOutputs));
  CHECK(OutputOf(outputs, 1, "hidden").as_secret().element.as_string() == "hush");
  CHECK(OutputOf(outputs, 0, "word").as_secret().sealed);
  const OtherStacks::Loaded all = fixture.loop.RunUntilDone(others->Load("other", StackPart::kResources));
  CHECK(OutputOf(all, 0, "word").as_secret().element.as_string() == "hush");
}

}  // namespace kingpost::other_stacks_test
