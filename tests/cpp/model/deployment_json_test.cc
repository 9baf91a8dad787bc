// SPDX-License-Identifier: Apache-2.0
// Whole documents: byte-identical round trips of files that the real command wrote, versions, features, secrets.
#include "model/deployment_json.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "model/deployment_export.h"
#include "model/fake_secrets.h"
#include "model/states.h"

namespace kingpost::deployment_json_test {

using testing::FakeSecrets;
using testing::TestSnapshot;
using testing::TestState;

std::string ReadData(const std::string& name) {
  std::ifstream file(std::string(KINGPOST_SOURCE_DIR) + "/tests/data/deployments/" + name, std::ios::binary);
  REQUIRE(file.is_open());
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string Checkpoint(const std::string& resources, const std::string& head = "\"version\":3") {
  return "{" + head + R"(,"checkpoint":{"stack":"o/p/s","latest":{"manifest":{"time":"2026-01-01T00:00:00Z",)" +
         R"("magic":"","version":""},"resources":[)" + resources + R"(],"metadata":{}}}})";
}

std::string ErrorOf(const std::string& checkpoint) {
  const auto document = DecodeCheckpoint(checkpoint, {});
  return document.ok() ? "" : document.status().message();
}

const char* const kNames[] = {"up", "values", "features"};

TEST_CASE("saves the real command's checkpoints byte for byte, with sealed secrets") {
  for (const std::string name : kNames) {
    INFO(name);
    const std::string text = ReadData(name + ".checkpoint.json");
    const auto document = DecodeCheckpoint(text, {});
    REQUIRE(document.status().message() == "");
    CHECK(document->snapshot.resources.size() >= 3);
    const auto saved = EncodeCheckpoint(*document, {});
    REQUIRE(saved.status().message() == "");
    CHECK(*saved == text);
  }
}

TEST_CASE("prints the real command's exports byte for byte") {
  for (const std::string name : kNames) {
    INFO(name);
    const std::string text = ReadData(name + ".export.json");
    const auto snapshot = DecodeExport(text, {});
    REQUIRE(snapshot.status().message() == "");
    CHECK(*EncodeExport(*snapshot, {}) == text);
  }
}

TEST_CASE("prints exports with shown secrets byte for byte") {
  for (const std::string name : kNames) {
    INFO(name);
    const std::string text = ReadData(name + ".shown.json");
    const auto snapshot = DecodeExport(text, {});
    REQUIRE(snapshot.status().message() == "");
    EncodeOptions options;
    options.show_secrets = true;
    CHECK(*EncodeExport(*snapshot, options) == text);
  }
}

TEST_CASE("the checkpoint and the export of one stack hold the same") {
  for (const std::string name : kNames) {
    INFO(name);
    const auto document = DecodeCheckpoint(ReadData(name + ".checkpoint.json"), {});
    REQUIRE(document.ok());
    CHECK(*EncodeExport(document->snapshot, {}) == ReadData(name + ".export.json"));
  }
}

// An export whose resources are handed over one by one.
Result<std::string> ExportOf(const std::string& checkpoint, const EncodeOptions& encode) {
  ExportWriter writer(encode, checkpoint.size());
  DecodeOptions decode;
  decode.each = [&writer](const State& state) { writer.Add(state); };
  const auto rest = DecodeCheckpoint(checkpoint, decode);
  if (!rest.ok()) return rest.status();
  CHECK(rest->snapshot.resources.empty());
  if (Status encoded = writer.Finish(rest->snapshot); !encoded.ok()) return encoded;
  std::string text;
  writer.Write([&text](std::string_view part) { text += part; });
  return text;
}

TEST_CASE("an export is the same if its resources are handed over one by one") {
  for (const std::string name : kNames) {
    INFO(name);
    const auto text = ExportOf(ReadData(name + ".checkpoint.json"), {});
    REQUIRE(text.ok());
    CHECK(*text == ReadData(name + ".export.json"));
  }
  CHECK(*ExportOf(R"({"version":3,"checkpoint":{"stack":"o/p/s"}})", {}) == *EncodeExport(Snapshot(), {}));

  EncodeOptions shown;
  shown.show_secrets = true;  // which are sealed
  const auto document = DecodeCheckpoint(ReadData("values.checkpoint.json"), {});
  REQUIRE(document.ok());
  const auto failure = ExportOf(ReadData("values.checkpoint.json"), shown);
  REQUIRE_FALSE(failure.ok());
  CHECK(failure.status().message() == EncodeExport(document->snapshot, shown).status().message());
  CHECK_FALSE(ExportOf(Checkpoint(R"({"urn":"","custom":true,"type":"t"})"), {}).ok());
}

TEST_CASE("large documents are saved and exported as they are") {
  std::vector<StatePtr> states;
  for (int i = 0; i < 3000; ++i) {
    states.push_back(TestState("r" + std::to_string(i), [i](State* state) {
      state->inputs = {{"text", std::string(static_cast<size_t>(i % 90), 'x')}, {"list", Array{i, "a"}}};
    }));
  }
  CheckpointDocument document;
  document.stack = "o/p/s";
  document.has_latest = true;
  document.snapshot = TestSnapshot(states);
  const std::string saved = *EncodeCheckpoint(document, {});
  CHECK(saved.size() > 400000);
  CHECK(*EncodeCheckpoint(*DecodeCheckpoint(saved, {}), {}) == saved);

  const std::string exported = *EncodeExport(document.snapshot, {});
  CHECK(*ExportOf(saved, {}) == exported);
  CHECK(*EncodeExport(*DecodeExport(exported, {}), {}) == exported);
}

TEST_CASE("a secret keeps its ciphertext while it is the same node") {
  FakeSecrets secrets;
  DecodeOptions read;
  read.secrets = &secrets;
  EncodeOptions write;
  write.secrets = &secrets;
  auto state = TestState("a", [](State* s) {
    s->inputs = {{"x", Value::Secret("one")}, {"y", Value::Secret(PropertyMap{{"in", Value::Secret("<two>")}})}};
  });
  const std::string first = *EncodeExport(TestSnapshot({state}), write);
  CHECK(secrets.encryptions == 2);
  // A secret inside of a secret is not encrypted on its own. Secrets are spelled for HTML.
  CHECK(first.find(R"(sealed(2):{\"in\":{\"4dabf18193072939515e22adb298388d\":\"1b47061264138c4ac30d75fd1eb44270\",)"
                   R"(\"ciphertext\":\"\\\"\\\\u003ctwo\\\\u003e\\\"\"}})") != std::string::npos);
  const auto snapshot = DecodeExport(first, read);
  REQUIRE(snapshot.ok());
  const PropertyMap& inputs = snapshot->resources[0]->inputs;
  CHECK(DeepEqual(inputs, state->inputs));
  CHECK(inputs.Find("x")->as_secret().ciphertext == "sealed(1):\"one\"");
  CHECK(*EncodeExport(*snapshot, write) == first);
  CHECK(secrets.encryptions == 2);

  SECTION("and an equal new secret of the same resource finds it in the cache") {
    const auto cache = NewSecretCache();
    read.cache = write.cache = cache.get();
    REQUIRE(DecodeExport(first, read).ok());
    CHECK(*EncodeExport(TestSnapshot({state}), write) == first);
    CHECK(secrets.encryptions == 2);
    const auto other = TestState("b", [&](State* s) { s->inputs = state->inputs; });
    REQUIRE(EncodeExport(TestSnapshot({other}), write).ok());
    CHECK(secrets.encryptions == 4);
  }
  SECTION("unless everything is to be encrypted anew") {
    write.reencrypt = true;
    CHECK(*EncodeExport(*snapshot, write) != first);
    CHECK(secrets.encryptions == 4);
  }
  SECTION("and a state read without its manager can be written, but not shown") {
    const auto sealed = DecodeExport(first, {});
    REQUIRE(sealed.ok());
    CHECK(sealed->resources[0]->inputs.Find("x")->as_secret().sealed);
    CHECK(*EncodeExport(*sealed, {}) == first);
    EncodeOptions shown;
    shown.show_secrets = true;
    const auto failure = EncodeExport(*sealed, shown);
    REQUIRE_FALSE(failure.ok());
    CHECK(failure.status().message().find(state->urn.str()) != std::string::npos);
  }
}

TEST_CASE("errors about secrets do not show them") {
  const std::string secret =
      R"({"urn":"u","custom":true,"type":"t:t:T","inputs":{"a":{"4dabf18193072939515e22adb298388d":)"
      R"("1b47061264138c4ac30d75fd1eb44270",%}}})";
  const auto with = [&](const std::string& rest) {
    std::string text = secret;
    return Checkpoint(text.replace(text.find('%'), 1, rest));
  };
  const std::string malformed = "malformed secret value: exactly one of `ciphertext` or `plaintext` must be supplied";
  CHECK(ErrorOf(with(R"("ciphertext":"")")).find(malformed) != std::string::npos);
  CHECK(ErrorOf(with(R"("x":1)")).find(malformed) != std::string::npos);
  CHECK(ErrorOf(with(R"("ciphertext":"a","plaintext":"1")")).find(malformed) != std::string::npos);
  const std::string broken = ErrorOf(with(R"("plaintext":"hunter2")"));
  CHECK(broken.find("resource 'u': malformed secret value") == 0);
  CHECK(broken.find("hunter") == std::string::npos);

  FakeSecrets secrets;
  DecodeOptions options;
  options.secrets = &secrets;
  const auto foreign = DecodeCheckpoint(with(R"("ciphertext":"v1:x")"), options);
  CHECK(foreign.status().message() == "resource 'u': decrypting secret value: not mine");

  EncodeOptions none;
  const auto state = TestState("a", [](State* s) { s->outputs = {{"x", Value::Secret("hunter2")}}; });
  const std::string message = EncodeState(*state, none).status().message();
  CHECK(message.find(state->urn.str()) != std::string::npos);
  CHECK(message.find("hunter") == std::string::npos);
}

TEST_CASE("each encoder refuses a secret that cannot be sealed, and names its resource") {
  const auto state = TestState("a", [](State* s) { s->outputs = {{"x", Value::Secret("hunter2")}}; });
  const Snapshot snapshot = TestSnapshot({state});
  const std::vector<Status> told = {
      EncodeState(*state, {}).status(),
      EncodeValue(Value::Secret("hunter2"), state->urn, {}).status(),
      EncodeProperties(state->outputs, state->urn, {}).status(),
      EncodeCheckpoint({"s", true, snapshot}, {}).status(),
      EncodeExport(snapshot, {}).status(),
      EncodeDeployment(snapshot, {}).status(),
  };
  for (const Status& status : told) {
    CHECK(status.message() == "cannot store a secret of " + state->urn.str() + ": the stack has no secrets manager");
  }
}

TEST_CASE("names the features that a state uses") {
  const auto features = [](const std::function<void(State*)>& change) {
    const std::string text = *EncodeCheckpoint({"s", true, TestSnapshot({TestState("a", change)})}, {});
    return text.substr(0, text.find(",\"checkpoint\""));
  };
  CHECK(features(nullptr) == R"({"version":3)");
  CHECK(features([](State* s) { s->taint = true; }) == R"({"version":4,"features":["taint"])");
  CHECK(features([](State* s) {
          s->view_of = Urn("u");
          s->hooks.of(HookKind::kOnError) = {"h"};
          s->refresh_before_update = true;
          s->replace_with = {Urn("v")};
          s->snippet_id = "i";
          s->extension_ref = "e";
          s->outputs = {{"b", "\xFF"}};
        }) == R"({"version":4,"features":["byteString","extensionParameterization","hooks","refreshBeforeUpdate",)"
              R"("replaceWith","snippets-prototype","views"])");
}

TEST_CASE("a byte string keeps its feature while it is sealed") {
  FakeSecrets secrets;
  EncodeOptions write;
  write.secrets = &secrets;
  const auto state = TestState("a", [](State* s) { s->inputs = {{"x", Value::Secret("\xFF")}}; });
  const std::string text = *EncodeExport(TestSnapshot({state}), write);
  REQUIRE(text.find("byteString") != std::string::npos);
  CHECK(*EncodeExport(*DecodeExport(text, {}), {}) == text);
  DecodeOptions read;
  read.secrets = &secrets;
  const auto opened = DecodeExport(text, read);
  CHECK(*EncodeExport(*opened, write) == text);
  CHECK(NeedsByteString(*opened->resources[0]));
}

TEST_CASE("refuses versions and features that it does not know") {
  CHECK(ErrorOf(Checkpoint("", "\"version\":9")) == "unsupported checkpoint version 9");
  CHECK(ErrorOf(Checkpoint("", R"("version":4,"features":["views","x","y"])")) ==
        "this stack's deployment needs support for the following features: x, y");
  CHECK(ErrorOf(Checkpoint("", R"("version":3,"features":["x"])")) == "");
  const auto reason = [](const char* json) {
    const auto snapshot = DecodeExport(json, {});
    REQUIRE_FALSE(snapshot.ok());
    const Status status = snapshot.status();
    REQUIRE(status.detail<UnsupportedDeployment>());
    return *status.detail<UnsupportedDeployment>();
  };
  using Reason = UnsupportedDeployment::Reason;
  CHECK(reason(R"({"version":5,"deployment":{}})").reason == Reason::kTooNew);
  CHECK(reason(R"({"deployment":{}})").reason == Reason::kTooOld);
  CHECK(reason(R"({"deployment":{},"features":["z"],"version":4})").features == std::vector<std::string>{"z"});
  CHECK(DecodeExport(R"({"version":5,"deployment":{}})", {}).status().message() ==
        "this stack's deployment version is too new");
}

TEST_CASE("reads an export from a deployment or a checkpoint, and refuses a document with neither") {
  const std::string body = R"({"resources":[{"urn":"u","custom":false,"type":"a:b:C"}]})";
  for (const std::string& document : {R"({"version":3,"deployment":)" + body + "}",
                                      R"({"version":3,"checkpoint":{"stack":"s","latest":)" + body + "}}",
                                      R"({"checkpoint":{"stack":"s","latest":)" + body + R"(},"version":3})"}) {
    const auto snapshot = DecodeExport(document, {});
    REQUIRE(snapshot.ok());
    CHECK(snapshot->resources.size() == 1);
  }
  CHECK(DecodeExport(R"({"version":3,"deployment":{}})", {}).ok());
  CHECK(DecodeExport(R"({"version":3})", {}).status().message() ==
        "there is neither a \"deployment\" nor a \"checkpoint\" in it");
  CHECK_FALSE(DecodeCheckpoint(R"({"version":3,"deployment":)" + body + "}", {})->has_latest);
}

TEST_CASE("reads a version field that comes after the body") {
  const auto snapshot =
      DecodeExport(R"({"deployment":{"resources":[{"urn":"u","custom":false,"type":"a:b:C"}]},"version":3})", {});
  REQUIRE(snapshot.ok());
  CHECK(snapshot->resources.size() == 1);
  CHECK(DecodeExport(R"({"deployment":{"resources":[{"urn":1}]},"version":3})", {}).status().message() ==
        "expected a string but found a number at byte 35");
}

TEST_CASE("brings old versions up to date") {
  const std::string resource =
      R"({"urn":"u","custom":true,"id":"i","type":"a:b:C","inputs":{"x":1},"defaults":{"d":1},"outputs":{"y":2},)"
      R"("parent":"p","protect":true,"external":true,"provider":"pr","dependencies":["d1"],"initErrors":null,)"
      R"("pendingReplacement":true})";
  const auto read = [&](const std::string& head) {
    auto document = DecodeCheckpoint(Checkpoint(resource, head), {});
    REQUIRE(document.status().message() == "");
    return document->snapshot.resources.at(0);
  };
  const StatePtr v1 = read("\"version\":1"), v2 = read("\"version\":2"), v3 = read("\"version\":3");
  CHECK((v1->id == "i" && v1->protect && v1->provider.empty() && !v1->external));
  CHECK((v2->provider == "pr" && v2->external && !v2->pending_replacement));
  CHECK(v1->property_dependencies == PropertyDependencies{{"x", {Urn("d1")}}});
  CHECK(v2->property_dependencies == v1->property_dependencies);
  CHECK((v3->pending_replacement && v3->property_dependencies.empty()));

  // Before there were versions, the file was the checkpoint itself.
  const auto bare = DecodeCheckpoint(R"({"stack":"s","latest":{"resources":[)" + resource + "]}}", {});
  REQUIRE(bare.ok());
  CHECK((bare->stack == "s" && bare->has_latest && bare->snapshot.resources.size() == 1));
  CHECK(bare->snapshot.resources[0]->provider.empty());
}

TEST_CASE("drops unknown fields, and keeps nulls in properties") {
  const auto document = DecodeCheckpoint(
      Checkpoint(
          R"({"urn":"u","x":{"y":[1,{"z":null}]},"custom":false,"type":"a:b:C","outputs":{"n":null,"m":1,"m":2}})"),
      {});
  REQUIRE(document.ok());
  CHECK(*EncodeState(*document->snapshot.resources[0], {}) ==
        R"({"urn":"u","custom":false,"type":"a:b:C","outputs":{"m":2,"n":null}})");
}

TEST_CASE("an empty stack has no deployment") {
  const auto document = DecodeCheckpoint(R"({"version":3,"checkpoint":{"stack":"o/p/s","latest":null}})", {});
  REQUIRE(document.ok());
  CHECK_FALSE(document->has_latest);
  CHECK(*EncodeCheckpoint(*document, {}) == R"({"version":3,"checkpoint":{"stack":"o/p/s"}})");
}

TEST_CASE("keeps plugins, pending operations, errors, snippets and extensions as they are") {
  const std::string text =
      R"({"version":4,"features":["snippets-prototype"],"checkpoint":{"stack":"o/p/s","latest":{"manifest":{)"
      R"("time":"2026-01-01T00:00:00Z","magic":"m","version":"v","plugins":[{"name":"a","version":"1 2"}]},)"
      R"("secrets_providers":{"type":"cloud","state":{"url":"a b","encryptedkey":"k"}},)"
      R"("pending_operations":[{"resource":{"urn":"u","custom":true,"type":"a:b:C"},"type":"importing"}],)"
      R"("metadata":{"integrity_error":{"error":"bad: \"x\""}},"snippets":[{"uuid":"1"}],)"
      R"("extensions":{"r":{"name":"n","value":"AA=="}}}}})";
  const auto document = DecodeCheckpoint(text, {});
  REQUIRE(document.status().message() == "");
  CHECK(document->snapshot.pending_operations.at(0).type == OperationType::kImporting);
  CHECK(*EncodeCheckpoint(*document, {}) == text);
  const std::string exported = *EncodeExport(document->snapshot, {});
  CHECK(*EncodeCheckpoint({"o/p/s", true, *DecodeExport(exported, {})}, {}) == text);
}

TEST_CASE("refuses resources without a name or a type, or with an ID that they cannot have") {
  CHECK(ErrorOf(Checkpoint(R"({"custom":true,"type":"t"})")).find("resource missing required 'urn' field") == 0);
  CHECK(ErrorOf(Checkpoint(R"({"urn":"u"})")).find("resource 'u' missing required 'type' field") == 0);
  CHECK(ErrorOf(Checkpoint(R"({"urn":"u","type":"t","id":"i"})"))
            .find("resource 'u' has 'custom' false but non-empty ID") == 0);
}

TEST_CASE("finds the secrets provider and the number of resources without reading values") {
  for (const std::string name : kNames) {
    const std::string text = ReadData(name + ".checkpoint.json");
    const auto provider = PeekSecretsProvider(text);
    REQUIRE(provider.ok());
    CHECK(provider->type == "passphrase");
    CHECK(provider->state_json.find(R"({"salt":"v1:)") == 0);
    CHECK(PeekSecretsProvider(ReadData(name + ".export.json"))->state_json == provider->state_json);
    CHECK(*CountResources(text) == static_cast<int>(DecodeCheckpoint(text, {})->snapshot.resources.size()));
  }
  CHECK(PeekSecretsProvider(R"({"version":3,"checkpoint":{"stack":"s"}})")->type == "");
  CHECK_FALSE(PeekSecretsProvider("{").ok());
}

TEST_CASE("every truncation of a checkpoint is an error of one line") {
  const std::string text = ReadData("features.checkpoint.json");
  for (size_t n = 0; n < text.size(); n += 7) {
    INFO(n);
    const std::string error = ErrorOf(text.substr(0, n));
    REQUIRE(error.find("at byte") != std::string::npos);
    REQUIRE(error.find('\n') == std::string::npos);
  }
}

}  // namespace kingpost::deployment_json_test
