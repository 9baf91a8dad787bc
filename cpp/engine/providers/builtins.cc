// SPDX-License-Identifier: Apache-2.0
// The package "pulumi", served in process (rows 2.22 to 2.25). Owns nothing: other stacks are read through the
// operation, resources of this run through the run state. Engine thread.
#include "engine/providers/builtins.h"

#include <algorithm>

#include "base/encoding.h"
#include "model/stack_reference.h"

namespace kingpost::providers {

namespace {

constexpr std::string_view kStashType = "pulumi:index:Stash";

constexpr char kDeprecated[] =
    "The \"pulumi:pulumi:StackReference\" resource type is deprecated. Update your SDK or if already up to date raise "
    "an issue at https://github.com/pulumi/pulumi/issues.";

Status Failure(std::string message) { return Status(Code::kUnknown, std::move(message)); }

Status UnknownType(const Urn& urn) { return Failure("unrecognized resource type '" + std::string(urn.type()) + "'"); }

CheckResponse Refused(const std::string& property, const std::string& reason) {
  CheckResponse response;
  response.failures.push_back({property, reason});
  return response;
}

// The types of this package have one input each, and need it.
CheckResponse CheckOnlyInput(const PropertyMap& inputs, const std::string& key) {
  for (const Property& input : inputs) {
    if (input.first != key) return Refused(input.first, "unknown property \"" + input.first + "\"");
  }
  if (!inputs.Has(key)) return Refused(key, "missing required property \"" + key + "\"");
  CheckResponse response;
  response.inputs = inputs;
  return response;
}

bool SameProperty(const PropertyMap& a, const PropertyMap& b, std::string_view key) {
  const Value* left = a.Find(key);
  const Value* right = b.Find(key);
  return left && right ? DeepEqual(*left, *right) : left == right;
}

Value PropertyOrNull(const PropertyMap& map, std::string_view key) {
  const Value* found = map.Find(key);
  return found ? *found : Value();
}

// A required argument that is a string, which may be secret.
Result<std::string> RequiredString(const PropertyMap& args, const std::string& key) {
  const Value* found = args.Find(key);
  if (!found) return Failure("missing required property '" + key + "'");
  const Value plain = StripSecretsAndOutputs(*found);
  if (!plain.is_string()) return Failure("expected '" + key + "' to be a string");
  return plain.as_string();
}

bool IsUnknownProperty(const PropertyMap& args, std::string_view key) {
  const Value* found = args.Find(key);
  return found && ContainsUnknowns(*found);
}

// The program's exports. A stack without a root resource exported nothing.
PropertyMap ExportsOf(const Snapshot& snapshot) {
  for (const StatePtr& state : snapshot.resources) {
    if (state->type == kRootStackType && state->parent.empty()) return state->outputs;
  }
  return {};
}

// Secrets whose key is not at hand become secrets of an empty object, as nothing better is known of them.
PropertyMap ElideSealed(const PropertyMap& outputs, bool* elided) {
  return Rewrite(outputs, [elided](const Value& value) {
    if (!value.is_secret()) return value;
    // The other stack has another key: its ciphertext would be unreadable in the record of this one.
    if (!value.as_secret().sealed) return Value::Secret(value.as_secret().element);
    *elided = true;
    return Value::Secret(Value(PropertyMap()));
  });
}

class Builtins : public Provider {
 public:
  Builtins(const Operation& operation, const decisions::Rows& rows, Notices& notices)
      : operation_(operation), rows_(rows), notices_(notices) {
    features_ = {.supports_preview = true,
                 .accept_secrets = true,
                 .accept_resources = true,
                 .accept_outputs = true,
                 .supports_autonaming = true,
                 .accepts_byte_string = true};
  }

  const ProviderFeatures& features() const override { return features_; }
  std::string version() const override { return ""; }

  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization) override {
    co_return Failure("the builtin provider has no parameters");
  }
  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override {
    CheckResponse response;
    response.inputs = request.new_inputs;
    co_return response;
  }
  Task<Result<DiffResponse>> DiffConfig(DiffRequest) override {
    DiffResponse response;
    response.changes = DiffChanges::kNone;
    co_return response;
  }
  Task<Status> Configure(ConfigureRequest) override { co_return Status(); }
  Task<Result<ConstructResponse>> Construct(ConstructRequest) override {
    co_return Failure("builtin resources may not be constructed");
  }
  Task<Result<CallResponse>> Call(CallRequest) override {
    co_return Failure("the builtin provider does not implement call");
  }
  Task<Result<std::string>> GetSchema(SchemaRequest) override { co_return std::string("{}"); }
  Task<void> Cancel() override { co_return; }

  Task<Result<CheckResponse>> Check(CheckRequest request) override;
  Task<Result<DiffResponse>> Diff(DiffRequest request) override;
  Task<Result<CreateResponse>> Create(CreateRequest request) override;
  Task<Result<ReadResponse>> Read(ReadRequest request) override;
  Task<Result<UpdateResponse>> Update(UpdateRequest request) override;
  Task<Status> Delete(DeleteRequest request) override;
  Task<Result<InvokeResponse>> Invoke(InvokeRequest request) override;

 private:
  Task<Result<std::shared_ptr<const Snapshot>>> LoadStack(std::string name, StackPart part) const;
  Task<Result<PropertyMap>> ReadStack(PropertyMap args) const;
  Task<Result<PropertyMap>> ReadStackResources(PropertyMap args) const;
  Result<PropertyMap> GetResource(const PropertyMap& args) const;
  Task<Result<ReadResponse>> ReadStackReference(ReadRequest request) const;

  const Operation& operation_;
  const decisions::Rows& rows_;
  Notices& notices_;
  ProviderFeatures features_;
};

Task<Result<CheckResponse>> Builtins::Check(CheckRequest request) {
  if (request.urn.type() == kStashType) co_return CheckOnlyInput(request.new_inputs, "input");
  if (request.urn.type() != kStackReferenceType) co_return UnknownType(request.urn);
  // Current SDKs read stack references; reads are not checked.
  notices_.Warning(request.urn, kDeprecated);
  CheckResponse response = CheckOnlyInput(request.new_inputs, "name");
  if (!response.failures.empty()) co_return response;
  const Value& name = *request.new_inputs.Find("name");
  if (!name.is_string() && !name.is_computed()) co_return Refused("name", "property \"name\" must be a string");
  co_return response;
}

Task<Result<DiffResponse>> Builtins::Diff(DiffRequest request) {
  DiffResponse response;
  response.changes = DiffChanges::kNone;
  if (request.urn.type() == kStackReferenceType) {
    if (!SameProperty(request.old_inputs, request.new_inputs, "name")) {
      response.changes = DiffChanges::kSome;
      response.replaces = {"name"};
    }
    co_return response;
  }
  if (request.urn.type() != kStashType) co_return UnknownType(request.urn);
  if (!SameProperty(request.old_inputs, request.new_inputs, "input")) {
    response.changes = DiffChanges::kSome;
    response.changed_keys = {"input"};
  }
  co_return response;
}

Task<Result<CreateResponse>> Builtins::Create(CreateRequest request) {
  CreateResponse response;
  if (!request.preview) response.id = FormatUuid4(operation_.environment.random_bytes(16));
  if (request.urn.type() == kStackReferenceType) {
    Result<PropertyMap> outputs = co_await ReadStack(request.inputs);
    if (!outputs.ok()) co_return outputs.status();
    response.outputs = std::move(*outputs);
    co_return response;
  }
  if (request.urn.type() != kStashType) co_return UnknownType(request.urn);
  const Value input = PropertyOrNull(request.inputs, "input");
  response.outputs.Set("input", input);
  response.outputs.Set("output", input);
  co_return response;
}

// The point of a stash: the output stays what it was at first, until a replacement resets it.
Task<Result<UpdateResponse>> Builtins::Update(UpdateRequest request) {
  if (request.urn.type() != kStashType) co_return UnknownType(request.urn);
  UpdateResponse response;
  response.outputs.Set("input", PropertyOrNull(request.new_inputs, "input"));
  response.outputs.Set("output", PropertyOrNull(request.old_outputs, "output"));
  co_return response;
}

Task<Status> Builtins::Delete(DeleteRequest request) {
  const bool known = request.urn.type() == kStackReferenceType || request.urn.type() == kStashType;
  co_return known ? Status() : UnknownType(request.urn);
}

Task<Result<ReadResponse>> Builtins::Read(ReadRequest request) {
  if (request.urn.type() == kStackReferenceType) co_return co_await ReadStackReference(std::move(request));
  if (request.urn.type() != kStashType) co_return UnknownType(request.urn);
  ReadResponse response;
  response.id = request.id;
  if (request.inputs.empty()) {
    // An import: nothing stands behind a stash, so it takes the ID over and holds nothing. The program's value is an
    // update.
    response.inputs = PropertyMap({{"input", Value()}});
    response.outputs = PropertyMap({{"input", Value()}, {"output", Value()}});
    co_return response;
  }
  response.inputs = request.inputs;
  response.outputs = request.outputs;
  co_return response;
}

Task<Result<ReadResponse>> Builtins::ReadStackReference(ReadRequest request) const {
  for (const Property& input : request.inputs) {
    if (input.first != "name") co_return Failure("unknown property \"" + input.first + "\"");
  }
  // Only an import reads without a name.
  if (!request.inputs.Has("name")) co_return Failure("stack reference can not be imported");
  const PropertyMap& known = request.outputs.Has("name") ? request.outputs : request.inputs;
  Result<PropertyMap> outputs = co_await ReadStack(known);
  if (!outputs.ok()) co_return outputs.status();
  ReadResponse response;
  response.id = request.id;
  response.inputs = request.inputs;
  response.outputs = std::move(*outputs);
  co_return response;
}

Task<Result<InvokeResponse>> Builtins::Invoke(InvokeRequest request) {
  Result<PropertyMap> result = Failure("unrecognized function name: '" + request.token + "'");
  if (request.token == "pulumi:pulumi:readStackOutputs") result = co_await ReadStack(request.args);
  if (request.token == "pulumi:pulumi:readStackResourceOutputs") result = co_await ReadStackResources(request.args);
  if (request.token == "pulumi:pulumi:getResource") result = GetResource(request.args);
  if (!result.ok()) co_return result.status();
  InvokeResponse response;
  response.result = std::move(*result);
  co_return response;
}

Task<Result<std::shared_ptr<const Snapshot>>> Builtins::LoadStack(std::string name, StackPart part) const {
  if (!operation_.load_stack) co_return Failure("no backend client is available");
  Result<std::shared_ptr<const Snapshot>> loaded = co_await operation_.load_stack(name, part);
  if (loaded.ok() && !*loaded) co_return Failure("unknown stack " + Quote(name));
  co_return loaded;
}

Task<Result<PropertyMap>> Builtins::ReadStack(PropertyMap args) const {
  if (IsUnknownProperty(args, "name")) {
    co_return PropertyMap({{"name", Computed()}, {"outputs", Computed()}, {"secretOutputNames", Computed()}});
  }
  Result<std::string> name = RequiredString(args, "name");
  if (!name.ok()) co_return name.status();
  Result<std::shared_ptr<const Snapshot>> snapshot = co_await LoadStack(*name, StackPart::kOutputs);
  if (!snapshot.ok()) co_return snapshot.status();
  bool elided = false;
  const PropertyMap outputs = ElideSealed(ExportsOf(**snapshot), &elided);
  if (elided) notices_.Info(Urn(), "eliding undecryptable secrets for stack reference '" + *name + "'");
  Array secret_names;  // in order: a property map is sorted by key
  for (const Property& output : outputs) {
    if (ContainsSecrets(output.second)) secret_names.push_back(output.first);
  }
  co_return PropertyMap({{"name", *args.Find("name")}, {"outputs", outputs}, {"secretOutputNames", secret_names}});
}

Task<Result<PropertyMap>> Builtins::ReadStackResources(PropertyMap args) const {
  if (IsUnknownProperty(args, "stackName")) co_return PropertyMap({{"name", Computed()}, {"outputs", Computed()}});
  Result<std::string> name = RequiredString(args, "stackName");
  if (!name.ok()) co_return name.status();
  Result<std::shared_ptr<const Snapshot>> snapshot = co_await LoadStack(*name, StackPart::kResources);
  if (!snapshot.ok()) co_return snapshot.status();
  bool elided = false;
  PropertyMap::Entries resources;
  for (const StatePtr& state : (*snapshot)->resources) {
    if (state->pending_delete) continue;
    const PropertyMap outputs = ElideSealed(state->outputs, &elided);
    resources.push_back({state->urn.str(), PropertyMap({{"type", state->type}, {"outputs", outputs}})});
  }
  if (elided) notices_.Info(Urn(), "eliding undecryptable secrets for stack reference '" + *name + "'");
  co_return PropertyMap(
      {{"name", *args.Find("stackName")}, {"outputs", PropertyMap::FromEntries(std::move(resources))}});
}

// How SDKs turn a reference to a resource into an object.
Result<PropertyMap> Builtins::GetResource(const PropertyMap& args) const {
  Result<std::string> text = RequiredString(args, "urn");
  if (!text.ok()) return text.status();
  const Urn urn(*text);
  const StatePtr found = rows_.Now(urn);
  if (!found) return Failure("unknown resource " + *text);
  const State& state = *found;
  return PropertyMap(
      {{"urn", *args.Find("urn")}, {"id", state.id}, {"provider", state.provider}, {"state", state.outputs}});
}

}  // namespace

ProviderPtr MakeBuiltins(const Operation& operation, const decisions::Rows& rows, Notices& notices) {
  return std::make_shared<Builtins>(operation, rows, notices);
}

}  // namespace kingpost::providers
