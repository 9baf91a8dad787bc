// SPDX-License-Identifier: Apache-2.0
// A provider whose resources live in World::cloud and that behaves as the scenario's `plugins` say.
#include <algorithm>

#include "kingpost/create_outcome.h"
#include "scenarios/fake_diff.h"
#include "scenarios/world.h"

namespace kingpost::scenarios {

namespace {

// A broken connection does not tell whether a thing was made (the same of a real plugin: wire/grpc_provider_crud.cc).
Status InDoubt(Status failed, bool preview) {
  const bool doubtful = !preview && failed.code() == Code::kUnavailable && !failed.detail<InitFailed>();
  return doubtful ? failed.With(MayHaveHappened()) : failed;
}

Json Details(const World& world, const PropertyMap& inputs) { return {{"inputs", world.names.ToJson(inputs)}}; }

class FakeProvider : public Provider {
 public:
  FakeProvider(World& world, const ProviderSpec& spec) : world_(world), package_(spec.name), version_(spec.version) {
    const Json features = Setting("features", Json::object());
    AllowOnly(features,
              {"preview", "secrets", "resources", "outputs", "invokeOutputs", "callOutputs", "autonaming", "bytes"},
              "features");
    features_.supports_preview = features.value("preview", true);
    features_.accept_secrets = features.value("secrets", true);
    features_.accept_resources = features.value("resources", true);
    features_.accept_outputs = features.value("outputs", true);
    features_.accepts_outputs_in_invoke = features.value("invokeOutputs", false);
    features_.accepts_outputs_in_call = features.value("callOutputs", true);
    features_.supports_autonaming = features.value("autonaming", false);
    features_.accepts_byte_string = features.value("bytes", true);
  }

  const ProviderFeatures& features() const override { return features_; }
  std::string version() const override { return version_; }

  Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization value) override {
    Json details = {{"name", value.name}, {"version", value.version}, {"value", value.value}};
    Task<std::optional<Fault>> entering = world_.Enter("parameterize " + value.name, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    const std::string name = Setting("parameterizeAs", value.name);
    if (world_.Knows(value.name)) package_ = value.name;
    co_return std::make_pair(name, value.version);
  }

  Task<Result<CheckResponse>> CheckConfig(CheckRequest request) override {
    Task<Result<CheckResponse>> checking = CheckAs("checkconfig", std::move(request));
    Result<CheckResponse> response = co_await std::move(checking);
    if (!response.ok()) co_return response;
    for (const auto& [key, value] : world_.names.ToProperties(Setting("checkedConfig", Json::object()))) {
      if (value.is_null()) {
        response->inputs.Erase(key);
      } else {
        response->inputs.Set(key, value);
      }
    }
    co_return response;
  }

  Task<Result<CheckResponse>> Check(CheckRequest request) override {
    const Value name = ChooseName(request);
    Task<Result<CheckResponse>> checking = CheckAs("check", std::move(request));
    Result<CheckResponse> response = co_await std::move(checking);
    if (!response.ok()) co_return response;
    for (const auto& [key, value] : world_.names.ToProperties(Setting("defaults", Json::object()))) {
      if (!response->inputs.Has(key)) response->inputs.Set(key, value);
    }
    const std::string named = Setting("names", "");
    if (!named.empty() && !response->inputs.Has(named)) response->inputs.Set(named, name);
    co_return response;
  }

  Task<Result<DiffResponse>> DiffConfig(DiffRequest request) override {
    return DiffAs("diffconfig", std::move(request), Setting("configReplaces", Json::array()),
                  Setting("configDiff", ""));
  }
  Task<Result<DiffResponse>> Diff(DiffRequest request) override {
    return DiffAs("diff", std::move(request), Setting("replaces", Json::array()), Setting("diff", ""));
  }

  Task<Status> Configure(ConfigureRequest request) override {
    Task<std::optional<Fault>> entering = world_.Enter("configure " + request.name, Details(world_, request.inputs));
    const std::optional<Fault> fault = co_await std::move(entering);
    co_return fault ? fault->status : Status();
  }

  Task<Result<CreateResponse>> Create(CreateRequest request) override {
    const std::string call = "create " + request.name;
    Json details = Details(world_, request.inputs);
    details["preview"] = request.preview;
    details["timeout"] = request.timeout_s;
    Task<std::optional<Fault>> entering = world_.Enter(call, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    CreateResponse response;
    response.outputs = WithAdditions(request.inputs, request.preview);
    response.refresh_before_update = Lists("refreshBeforeUpdate", request.name);
    if (fault && !fault->status.ok()) {
      const InitFailed* partial = fault->status.detail<InitFailed>();
      if (partial && !request.preview) {
        world_.cloud[partial->id] = {partial->id, request.inputs, partial->outputs};
      }
      co_return InDoubt(fault->status, request.preview);
    }
    if (const Status shown = Publish(call, request.status); !shown.ok()) co_return shown;
    if (request.preview || (fault && fault->json.value("answer", "") == "no id")) co_return response;
    response.id = world_.NewId(request.name);
    world_.cloud[response.id] = {response.id, request.inputs, response.outputs};
    Task<Status> leaving = world_.Leave(fault);
    if (const Status lost = co_await std::move(leaving); !lost.ok()) co_return InDoubt(lost, false);
    if (fault && fault->json.is_object() && fault->json.value("answer", "") == "lost id") response.id.clear();
    co_return response;
  }

  Task<Result<ReadResponse>> Read(ReadRequest request) override {
    const std::string call = "read " + request.name;
    Json details = {{"id", request.id},
                    {"bare", request.bare},
                    {"timeout", request.timeout_s},
                    {"inputs", world_.names.ToJson(request.inputs)},
                    {"outputs", world_.names.ToJson(request.outputs)}};
    AddOldViews(request.old_views, &details);
    Task<std::optional<Fault>> entering = world_.Enter(call, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    if (const Status shown = Publish(call, request.status); !shown.ok()) co_return shown;
    ReadResponse response;
    const auto found = world_.cloud.find(request.id);
    if (found == world_.cloud.end()) co_return response;
    const Thing& thing = found->second;
    const bool forgets = Setting("forgetsSecrets", false);
    response.id = thing.id;
    if (!Setting("noImport", false)) response.inputs = forgets ? StripSecrets(thing.inputs) : thing.inputs;
    response.outputs = forgets ? StripSecrets(thing.outputs) : thing.outputs;
    response.refresh_before_update = Lists("refreshBeforeUpdate", request.name);
    co_return response;
  }

  Task<Result<UpdateResponse>> Update(UpdateRequest request) override {
    const std::string call = "update " + request.name;
    Json details = Details(world_, request.new_inputs);
    details["oldInputs"] = world_.names.ToJson(request.old_inputs);
    details["oldOutputs"] = world_.names.ToJson(request.old_outputs);
    details["id"] = request.id;
    details["preview"] = request.preview;
    details["timeout"] = request.timeout_s;
    details["ignoreChanges"] = request.ignore_changes;
    AddOldViews(request.old_views, &details);
    Task<std::optional<Fault>> entering = world_.Enter(call, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    if (const Status shown = Publish(call, request.status); !shown.ok()) co_return shown;
    UpdateResponse response;
    response.outputs = WithAdditions(request.new_inputs, request.preview);
    response.refresh_before_update = Lists("refreshBeforeUpdate", request.name);
    if (request.preview) co_return response;
    // With slow answers others may have deleted the thing meanwhile; the update does not bring it back.
    if (!world_.slow_answers || world_.cloud.count(request.id)) {
      world_.cloud[request.id] = {request.id, request.new_inputs, response.outputs};
    }
    Task<Status> leaving = world_.Leave(fault);
    if (const Status lost = co_await std::move(leaving); !lost.ok()) co_return lost;
    co_return response;
  }

  Task<Status> Delete(DeleteRequest request) override {
    const std::string call = "delete " + request.name;
    Json details = Details(world_, request.inputs);
    details["outputs"] = world_.names.ToJson(request.outputs);
    details["id"] = request.id;
    details["timeout"] = request.timeout_s;
    AddOldViews(request.old_views, &details);
    Task<std::optional<Fault>> entering = world_.Enter(call, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    if (const Status shown = Publish(call, request.status); !shown.ok()) co_return shown;
    world_.cloud.erase(request.id);
    Task<Status> leaving = world_.Leave(fault);
    co_return co_await std::move(leaving);
  }

  Task<Result<ConstructResponse>> Construct(ConstructRequest request) override {
    Json details = Details(world_, request.inputs);
    details["dryRun"] = request.info.dry_run;
    details["organization"] = request.info.organization;
    details["parent"] = world_.names.Label(request.parent);
    details["providers"] = Json::object();
    for (const auto& [package, reference] : request.providers) {
      details["providers"][package] = world_.names.Shorten(reference);
    }
    for (const Urn& urn : request.dependencies) details["dependsOn"].push_back(world_.names.Label(urn));
    for (const auto& [key, urns] : request.property_dependencies) {
      for (const Urn& urn : urns) details["inputDependencies"][key].push_back(world_.names.Label(urn));
    }
    if (request.protect) details["protect"] = *request.protect;
    details["ignoreChanges"] = request.ignore_changes;
    details["additionalSecretOutputs"] = request.additional_secret_outputs;
    Task<std::optional<Fault>> entering = world_.Enter("construct " + request.name, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;

    const Json component = Setting("components", Json::object()).value(request.type, Json::object());
    if (component.contains("fails")) co_return Status(Code::kUnknown, component["fails"]);
    Json self = {{"component", request.name}, {"type", request.type}, {"parent", request.parent.str()}};
    if (request.protect) self["protect"] = *request.protect;
    if (!request.deleted_with.empty()) self["deletedWith"] = request.deleted_with.str();
    if (component.contains("stateMigrations")) self["stateMigrations"] = component["stateMigrations"];
    Json own = Json::array({self});
    Task<Status> registering = RunStatements(world_, std::move(own), "");
    const Status registered = co_await std::move(registering);
    if (!registered.ok()) co_return registered;
    Json statements = component.value("program", Json::array());
    Task<Status> running = RunStatements(world_, std::move(statements), request.name);
    const Status ran = co_await std::move(running);
    if (!ran.ok()) co_return ran;
    co_return Constructed(request, component);
  }

  Task<Result<InvokeResponse>> Invoke(InvokeRequest request) override {
    Json details = {{"args", world_.names.ToJson(request.args)}, {"preview", request.preview}};
    Task<std::optional<Fault>> entering = world_.Enter("invoke " + request.token, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    const Json function = Setting("functions", Json::object()).value(request.token, Json::object());
    AllowOnly(function, {"returns", "failures"}, "functions." + request.token);
    InvokeResponse response;
    response.result =
        function.contains("returns") ? world_.names.ToProperties(function["returns"]) : std::move(request.args);
    for (const auto& [property, reason] : Mapping(function, "failures").items()) {
      response.failures.push_back({property, reason});
    }
    co_return response;
  }

  Task<Result<CallResponse>> Call(CallRequest request) override {
    Json details = {{"args", world_.names.ToJson(request.args)}, {"dryRun", request.info.dry_run}};
    for (const auto& [key, urns] : request.arg_dependencies) {
      for (const Urn& urn : urns) details["argDependencies"][key].push_back(world_.names.Label(urn));
    }
    Task<std::optional<Fault>> entering = world_.Enter("call " + request.token, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    const Json method = Setting("methods", Json::object()).value(request.token, Json::object());
    AllowOnly(method, {"returns", "failures", "dependencies"}, "methods." + request.token);
    CallResponse response;
    response.result =
        method.contains("returns") ? world_.names.ToProperties(method["returns"]) : std::move(request.args);
    for (const auto& [property, reason] : Mapping(method, "failures").items()) {
      response.failures.push_back({property, reason});
    }
    response.result_dependencies = Dependencies(method);
    co_return response;
  }

  Task<Result<std::string>> GetSchema(SchemaRequest request) override {
    Task<std::optional<Fault>> entering =
        world_.Enter("schema " + package_, Json{{"subpackage", request.subpackage_name}});
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    co_return Setting("schema", Json::object()).dump();
  }

  Task<void> Cancel() override {
    world_.calls.push_back("cancel " + package_);
    co_return;
  }

 private:
  template <class T>
  T Setting(const char* key, T absent) const {
    return world_.Plugin(package_).value(key, absent);
  }
  std::string Setting(const char* key, const char* absent) const { return Setting(key, std::string(absent)); }
  bool Lists(const char* key, const std::string& name) const {
    const Json list = Setting(key, Json::array());
    return std::find(list.begin(), list.end(), Json(name)) != list.end();
  }

  // The name that it has, or the one that the engine proposes.
  Value ChooseName(const CheckRequest& request) const {
    if (const Value* kept = request.old_inputs.Find(Setting("names", ""))) return *kept;
    return request.autonaming ? Value(request.autonaming->proposed_name) : Value();
  }

  Task<Result<CheckResponse>> CheckAs(std::string verb, CheckRequest request) {
    const std::string call = verb + " " + request.name;
    Json details = Details(world_, request.new_inputs);
    details["oldInputs"] = world_.names.ToJson(request.old_inputs);
    details["oldOutputs"] = world_.names.ToJson(request.old_outputs);
    details["seed"] = !request.random_seed.empty();
    if (!request.allow_unknowns && ContainsUnknowns(request.new_inputs)) {
      co_return Status(Code::kInternal, call + " has unknown inputs, which a real provider would not be sent");
    }
    if (request.autonaming) {
      static const char* const kModes[] = {"propose", "enforce", "disable"};
      details["autonaming"] = {{"name", request.autonaming->proposed_name},
                               {"mode", kModes[static_cast<int>(request.autonaming->mode)]}};
    }
    Task<std::optional<Fault>> entering = world_.Enter(call, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    CheckResponse response;
    response.inputs = std::move(request.new_inputs);
    if (fault) {
      for (const auto& [property, reason] : Mapping(fault->json, "failures").items()) {
        response.failures.push_back({property, reason});
      }
    }
    co_return response;
  }

  // Answers as `override` says ("none", "some", "unknown"), or else compares the inputs.
  Task<Result<DiffResponse>> DiffAs(std::string verb, DiffRequest request, Json replaces, std::string override) {
    Json details = Details(world_, request.new_inputs);
    details["oldInputs"] = world_.names.ToJson(request.old_inputs);
    details["oldOutputs"] = world_.names.ToJson(request.old_outputs);
    details["ignoreChanges"] = request.ignore_changes;
    details["id"] = request.id;
    Task<std::optional<Fault>> entering = world_.Enter(verb + " " + request.name, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    DiffResponse response;
    response.stables = Setting("stables", std::vector<std::string>());
    response.delete_before_replace = Setting("deleteBeforeReplace", false);
    if (override == "unknown") co_return response;
    if (override == "none") {
      response.changes = DiffChanges::kNone;
      co_return response;
    }
    CompareInputs(request, replaces, &response);
    response.has_detailed = Setting("detailed", false);
    if (!response.has_detailed) response.detailed.clear();
    if (override == "some") response.changes = DiffChanges::kSome;
    co_return response;
  }

  PropertyMap WithAdditions(PropertyMap outputs, bool preview) const {
    // A plugin that takes no secrets gets them bare, and gives them back so.
    if (!features_.accept_secrets) outputs = StripSecretsAndOutputs(outputs);
    for (const auto& [key, value] : world_.names.ToProperties(Setting("adds", Json::object()))) {
      outputs.Set(key, preview ? Value(Computed()) : value);
    }
    for (const std::string key : Setting("secretOutputs", Json::array())) {
      if (const Value* value = outputs.Find(key)) outputs.Set(key, Value::Secret(*value));
    }
    return outputs;
  }

  Status Publish(const std::string& call, const StatusTarget& target) {
    const Json views = Setting("views", Json::object()).value(call, Json::array());
    return world_.PublishViews(views, target.token);
  }

  static void AddOldViews(const std::vector<StatePtr>& views, Json* details) {
    for (const StatePtr& view : views) (*details)["oldViews"].push_back(std::string(view->urn.name()));
  }

  PropertyDependencies Dependencies(const Json& settings) const {
    PropertyDependencies dependencies;
    for (const auto& [key, labels] : Mapping(settings, "dependencies").items()) {
      for (const std::string label : labels) dependencies[key].push_back(Urn(world_.names.UrnOf(label)));
    }
    return dependencies;
  }

  Result<ConstructResponse> Constructed(const ConstructRequest& request, const Json& component) const {
    try {
      ConstructResponse response;
      response.urn = Urn(world_.names.UrnOf(request.name));
      response.outputs = world_.names.ToProperties(component.value("outputs", Json::object()));
      response.output_dependencies = Dependencies(component);
      return response;
    } catch (const Mistake& mistake) {
      return Status(Code::kInvalidArgument, mistake.what());
    }
  }

  World& world_;
  std::string package_;
  const std::string version_;
  ProviderFeatures features_;
};

}  // namespace

ProviderPtr NewFakeProvider(World& world, const ProviderSpec& spec) {
  return std::make_shared<FakeProvider>(world, spec);
}

}  // namespace kingpost::scenarios
