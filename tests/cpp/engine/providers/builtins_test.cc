// SPDX-License-Identifier: Apache-2.0
// Stack references, stashes and the invokes of the package "pulumi".
#include "engine/providers/builtins.h"

#include <catch2/catch.hpp>

namespace kingpost::builtins_test {

class Messages : public providers::Notices {
 public:
  void Error(const Urn&, const std::string& message) override { texts.push_back(message); }
  void Warning(const Urn&, const std::string& message) override { texts.push_back(message); }
  void Info(const Urn&, const std::string& message) override { texts.push_back(message); }
  std::vector<std::string> texts;
};

// A provider with all that it needs, and the other stack "org/proj/dev".
class Fixture {
 public:
  Fixture() {
    operation_.environment.random_bytes = [](int n) { return std::string(n, '\x7f'); };
    operation_.load_stack = [this](std::string name, StackPart) -> Task<Result<std::shared_ptr<const Snapshot>>> {
      if (name != "org/proj/dev") co_return Status(Code::kNotFound, "unknown stack \"" + name + "\"");
      co_return std::make_shared<const Snapshot>(other);
    };
    State root;
    root.urn = Urn::Make("dev", "proj", "", kRootStackType, "proj-dev");
    root.type = kRootStackType;
    root.outputs = {{"b", Value::Secret("s")}, {"plain", 1}, {"a", PropertyMap({{"deep", Value::Secret(2)}})}};
    other.resources.push_back(std::make_shared<const State>(root));
    provider_ = providers::MakeBuiltins(operation_, rows_, messages);
  }

  template <class T>
  T Run(Task<T> task) {
    return loop_.RunUntilDone(std::move(task));
  }
  Result<InvokeResponse> Invoke(const std::string& token, const PropertyMap& args) {
    return Run(provider_->Invoke({token, args, false}));
  }
  std::string InvokeError(const std::string& token, const PropertyMap& args) {
    return Invoke(token, args).status().message();
  }
  // The refusals of Check, one per line.
  std::string Check(const Urn& urn, const PropertyMap& inputs) {
    CheckRequest request;
    request.urn = urn;
    request.new_inputs = inputs;
    Result<CheckResponse> response = Run(provider_->Check(request));
    if (!response.ok()) return response.status().message();
    std::string text;
    for (const CheckFailure& failure : response->failures) text += failure.property + ": " + failure.reason + "\n";
    CHECK((!text.empty() || DeepEqual(response->inputs, inputs)));
    return text;
  }
  Result<DiffResponse> Diff(const Urn& urn, const PropertyMap& old_inputs, const PropertyMap& new_inputs) {
    DiffRequest request;
    request.urn = urn;
    request.old_inputs = old_inputs;
    request.new_inputs = new_inputs;
    return Run(provider_->Diff(request));
  }
  Result<CreateResponse> Create(const Urn& urn, const PropertyMap& inputs, bool preview = false) {
    CreateRequest request;
    request.urn = urn;
    request.inputs = inputs;
    request.preview = preview;
    return Run(provider_->Create(request));
  }
  Result<ReadResponse> Read(const Urn& urn, const PropertyMap& inputs, const PropertyMap& outputs) {
    ReadRequest request;
    request.urn = urn;
    request.id = "the-id";
    request.inputs = inputs;
    request.outputs = outputs;
    return Run(provider_->Read(request));
  }

  Messages messages;
  Snapshot other;
  decisions::Rows& rows() { return rows_; }
  Provider& provider() { return *provider_; }

 private:
  Loop loop_;
  Operation operation_;
  decisions::Rows rows_;
  ProviderPtr provider_;
};

const Urn kReference = Urn::Make("st", "pr", "", "pulumi:pulumi:StackReference", "ref");
const Urn kStash = Urn::Make("st", "pr", "", "pulumi:index:Stash", "stash");
const Urn kOther = Urn::Make("st", "pr", "", "pulumi:pulumi:Other", "x");
const PropertyMap kName = {{"name", "org/proj/dev"}};

TEST_CASE("a stack reference is read with the names of its secret outputs in order") {
  Fixture fixture;
  Result<ReadResponse> read = fixture.Read(kReference, kName, kName);
  REQUIRE(read.ok());
  CHECK(read->id == "the-id");
  CHECK(DeepEqual(*read->inputs, kName));
  const PropertyMap& outputs = *read->outputs;
  CHECK(DeepEqual(*outputs.Find("outputs"), Value(fixture.other.resources[0]->outputs)));
  CHECK(DeepEqual(*outputs.Find("secretOutputNames"), Value(Array({Value("a"), Value("b")}))));
  CHECK(outputs.Find("name")->as_string() == "org/proj/dev");
  CHECK(fixture.messages.texts.empty());
}

TEST_CASE("a stack that exported nothing has no outputs") {
  Fixture fixture;
  fixture.other.resources.clear();
  Result<InvokeResponse> read = fixture.Invoke("pulumi:pulumi:readStackOutputs", kName);
  REQUIRE(read.ok());
  CHECK(read->result.Find("outputs")->as_object().empty());
  CHECK(read->result.Find("secretOutputNames")->as_array().empty());
}

TEST_CASE("outputs that cannot be decrypted become empty secrets, with a message") {
  Fixture fixture;
  State root = *fixture.other.resources[0];
  SecretData sealed;
  sealed.ciphertext = "v1:xyz";
  sealed.sealed = true;
  root.outputs = {{"s", Value::Secret(sealed)}};
  fixture.other.resources = {std::make_shared<const State>(root)};
  Result<InvokeResponse> read = fixture.Invoke("pulumi:pulumi:readStackOutputs", kName);
  REQUIRE(read.ok());
  const Value& secret = *read->result.Find("outputs")->as_object().Find("s");
  CHECK(DeepEqual(secret, Value::Secret(PropertyMap())));
  REQUIRE(fixture.messages.texts.size() == 1);
  CHECK(fixture.messages.texts[0].find("eliding undecryptable secrets for stack reference 'org/proj/dev'") == 0);
}

TEST_CASE("an import of a stack reference is refused, and an imported stash is empty") {
  Fixture fixture;
  CHECK(fixture.Read(kReference, {}, {}).status().message() == "stack reference can not be imported");
  CHECK(fixture.Read(kReference, {{"x", 1}}, {}).status().message() == "unknown property \"x\"");
  CHECK(fixture.Read(kReference, {{"name", "nowhere"}}, {}).status().message() == "unknown stack \"nowhere\"");
  const Result<ReadResponse> stash = fixture.Read(kStash, {}, {});
  REQUIRE(stash.ok());
  CHECK(DeepEqual(*stash->inputs, PropertyMap{{"input", Value()}}));
  CHECK(DeepEqual(*stash->outputs, PropertyMap{{"input", Value()}, {"output", Value()}}));
  CHECK(fixture.Read(kOther, {}, {}).status().message() == "unrecognized resource type 'pulumi:pulumi:Other'");
}

TEST_CASE("inputs are checked, and registering a stack reference is deprecated") {
  Fixture fixture;
  CHECK(fixture.Check(kReference, kName).empty());
  REQUIRE(fixture.messages.texts.size() == 1);
  CHECK(fixture.messages.texts[0].find("The \"pulumi:pulumi:StackReference\" resource type is deprecated.") == 0);
  CHECK(fixture.Check(kReference, {{"name", Computed()}}).empty());
  CHECK(fixture.Check(kReference, {{"name", 1}}) == "name: property \"name\" must be a string\n");
  CHECK(fixture.Check(kReference, {}) == "name: missing required property \"name\"\n");
  CHECK(fixture.Check(kReference, {{"nam", "x"}}) == "nam: unknown property \"nam\"\n");
  CHECK(fixture.Check(kStash, {{"input", Value()}}).empty());
  CHECK(fixture.Check(kStash, {}) == "input: missing required property \"input\"\n");
  CHECK(fixture.Check(kStash, {{"input", 1}, {"output", 2}}) == "output: unknown property \"output\"\n");
  CHECK(fixture.Check(kOther, {}) == "unrecognized resource type 'pulumi:pulumi:Other'");
}

TEST_CASE("a new name replaces a stack reference, a new input updates a stash") {
  Fixture fixture;
  CHECK(fixture.Diff(kReference, kName, kName)->changes == DiffChanges::kNone);
  const auto renamed = fixture.Diff(kReference, kName, {{"name", "other"}});
  CHECK(renamed->changes == DiffChanges::kSome);
  CHECK(renamed->replaces == std::vector<std::string>{"name"});
  CHECK(fixture.Diff(kStash, {{"input", 1}}, {{"input", 1}})->changes == DiffChanges::kNone);
  const auto updated = fixture.Diff(kStash, {{"input", 1}}, {{"input", 2}});
  CHECK(updated->changes == DiffChanges::kSome);
  CHECK(updated->changed_keys == std::vector<std::string>{"input"});
  CHECK(updated->replaces.empty());
}

TEST_CASE("a stash keeps its first value through updates") {
  Fixture fixture;
  const auto created = fixture.Create(kStash, {{"input", Value::Secret(1)}});
  REQUIRE(created.ok());
  CHECK(created->id == "7f7f7f7f-7f7f-4f7f-bf7f-7f7f7f7f7f7f");
  CHECK(DeepEqual(created->outputs, {{"input", Value::Secret(1)}, {"output", Value::Secret(1)}}));
  CHECK(fixture.Create(kStash, {{"input", 1}}, true)->id.empty());
  UpdateRequest request;
  request.urn = kStash;
  request.old_outputs = created->outputs;
  request.new_inputs = {{"input", 2}};
  const auto updated = fixture.Run(fixture.provider().Update(request));
  REQUIRE(updated.ok());
  CHECK(DeepEqual(updated->outputs, {{"input", 2}, {"output", Value::Secret(1)}}));
  const auto read = fixture.Read(kStash, {{"input", 2}}, updated->outputs);
  CHECK(DeepEqual(*read->outputs, updated->outputs));
}

TEST_CASE("a registered stack reference is created with an ID and the outputs that it reads") {
  Fixture fixture;
  const auto created = fixture.Create(kReference, kName);
  REQUIRE(created.ok());
  CHECK_FALSE(created->id.empty());
  CHECK(created->outputs.Has("outputs"));
  const auto planned = fixture.Create(kReference, {{"name", Computed()}}, true);
  REQUIRE(planned.ok());
  CHECK(planned->outputs.Find("outputs")->is_computed());
}

TEST_CASE("all resources of a stack can be read, but not those that wait for their delete") {
  Fixture fixture;
  State live, condemned;
  live.urn = Urn::Make("dev", "proj", "", "a:b:C", "live");
  live.type = "a:b:C";
  live.outputs = {{"x", 1}};
  condemned = live;
  condemned.urn = Urn::Make("dev", "proj", "", "a:b:C", "old");
  condemned.pending_delete = true;
  fixture.other.resources = {std::make_shared<const State>(live), std::make_shared<const State>(condemned)};
  const auto read = fixture.Invoke("pulumi:pulumi:readStackResourceOutputs", {{"stackName", "org/proj/dev"}});
  REQUIRE(read.ok());
  const PropertyMap expected = {{live.urn.str(), PropertyMap({{"type", "a:b:C"}, {"outputs", live.outputs}})}};
  CHECK(DeepEqual(read->result, {{"name", "org/proj/dev"}, {"outputs", expected}}));
}

TEST_CASE("getResource finds registered resources first, then read ones") {
  Fixture fixture;
  State registered, read;
  registered.urn = read.urn = kOther;
  registered.id = "new";
  registered.provider = "urn::id";
  registered.outputs = {{"x", 1}};
  read.urn = kOther;
  read.id = "read";
  const PropertyMap args = {{"urn", kOther.str()}};
  const std::string token = "pulumi:pulumi:getResource";
  CHECK(fixture.InvokeError(token, args) == "unknown resource " + kOther.str());
  fixture.rows().Publish(std::make_shared<const State>(read), /*was_read=*/true);
  CHECK(fixture.Invoke(token, args)->result.Find("id")->as_string() == "read");
  fixture.rows().Publish(std::make_shared<const State>(registered), /*was_read=*/false);
  CHECK(DeepEqual(fixture.Invoke(token, args)->result,
                  {{"urn", kOther.str()}, {"id", "new"}, {"provider", "urn::id"}, {"state", registered.outputs}}));
}

TEST_CASE("invokes that ask for nothing sensible are refused") {
  Fixture fixture;
  CHECK(fixture.InvokeError("pulumi:pulumi:nope", {}) == "unrecognized function name: 'pulumi:pulumi:nope'");
  CHECK(fixture.InvokeError("pulumi:pulumi:readStackOutputs", {}) == "missing required property 'name'");
  CHECK(fixture.InvokeError("pulumi:pulumi:readStackOutputs", {{"name", 1}}) == "expected 'name' to be a string");
  CHECK(fixture.InvokeError("pulumi:pulumi:readStackResourceOutputs", {}) == "missing required property 'stackName'");
  CHECK(fixture.InvokeError("pulumi:pulumi:getResource", {}) == "missing required property 'urn'");
}

}  // namespace kingpost::builtins_test
