// SPDX-License-Identifier: Apache-2.0
// Plugin processes, the language host and the user's functions, all in this process.
#include "scenarios/fake_migration.h"
#include "scenarios/world.h"

namespace kingpost::scenarios {

namespace {

class FakeLanguageHost : public LanguageHost {
 public:
  FakeLanguageHost(World& world, Json program) : world_(world), program_(std::move(program)), ended_(world.loop()) {}

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    std::vector<RequiredPackage> packages;
    for (const Json& json : world_.settings.value("requires", Json::array())) {
      RequiredPackage package;
      package.name = json["name"];
      package.kind = json.value("kind", "resource");
      package.version = json.value("version", "");
      package.download_url = json.value("url", "");
      packages.push_back(std::move(package));
    }
    co_return packages;
  }

  // Ends with the program, or at once if it is cancelled: what the program waits for is answered later.
  Task<Result<RunResponse>> Run(RunRequest request) override {
    world_.names.NewProgram();
    world_.names.dry_run = request.info.dry_run;
    world_.loop().Spawn(RunToEnd(world_, program_, ended_));
    co_return co_await ended_;
  }

  Task<void> Cancel() override {
    world_.calls.push_back("cancel program");
    RunResponse response;
    response.bail = true;
    ended_.Set(response);
    co_return;
  }

 private:
  static Task<void> RunToEnd(World& world, Json program, Completion<RunResponse> ended) {
    Task<Status> running = RunStatements(world, std::move(program), "");
    const Status status = co_await std::move(running);
    RunResponse response;
    // An SDK ends quietly when the engine is gone.
    response.bail = status.bail() || status.code() == Code::kUnavailable;
    if (!status.ok() && !response.bail) response.error = status.message();
    // The engine does not listen to a program that it has stopped.
    if (response.error.rfind("MISMATCH", 0) == 0) world.mismatch = response.error;
    ended.Set(response);
  }

  World& world_;
  const Json program_;
  Completion<RunResponse> ended_;
};

// Calls are logged as "hook NAME on RESOURCE"; the token is the statement that registered the hook.
class FakeCallbacks : public Callbacks {
 public:
  explicit FakeCallbacks(World& world) : world_(world) {}

  Task<Result<RegisterResourceRequest>> Transform(Callback callback, RegisterResourceRequest request) override {
    Json details = {{"inputs", world_.names.ToJson(request.inputs)}, {"type", request.type}};
    Task<std::optional<Fault>> entering =
        world_.Enter("transform " + callback.token + " on " + request.name, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    const Json rule = Rule(callback.token);
    if (Applies(rule, request.type)) Change(rule, &request);
    co_return request;
  }

  Task<Result<TransformInvokeResponse>> TransformInvoke(Callback callback, TransformInvokeRequest request) override {
    Json details = {{"args", world_.names.ToJson(request.args)}};
    Task<std::optional<Fault>> entering =
        world_.Enter("transform " + callback.token + " on " + request.token, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    TransformInvokeResponse response{std::move(request.args), std::move(request.options)};
    const Json rule = Rule(callback.token);
    for (const auto& [key, value] : Mapping(rule, "set").items()) {
      response.args.Set(key, world_.names.ToValue(value));
    }
    if (rule.contains("provider")) response.options.provider = world_.names.ReferenceOf(rule["provider"]);
    if (rule.contains("version")) response.options.version = rule["version"];
    co_return response;
  }

  Task<Status> RunHook(Callback callback, ResourceHookRequest request) override {
    const Json hook = Json::parse(callback.token);
    Json details = {{"id", request.id}};
    Add("newInputs", request.new_inputs, &details);
    Add("oldInputs", request.old_inputs, &details);
    Add("newOutputs", request.new_outputs, &details);
    Add("oldOutputs", request.old_outputs, &details);
    AddOptions("newOptions", request.new_state, &details);
    AddOptions("oldOptions", request.old_state, &details);
    Task<std::optional<Fault>> entering =
        world_.Enter("hook " + hook["hook"].get<std::string>() + " on " + request.name, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    if (hook.contains("error")) co_return Status(Code::kUnknown, hook["error"]);
    co_return Status();
  }

  Task<Result<bool>> RunErrorHook(Callback callback, ErrorHookRequest request) override {
    const Json hook = Json::parse(callback.token);
    const std::string name = hook["errorHook"];
    Json details = {{"operation", request.failed_operation}, {"errors", request.errors}, {"id", request.id}};
    Add("newInputs", request.new_inputs, &details);
    Add("oldInputs", request.old_inputs, &details);
    Add("oldOutputs", request.old_outputs, &details);
    Task<std::optional<Fault>> entering = world_.Enter("hook " + name + " on " + request.name, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    if (hook.contains("error")) co_return Status(Code::kUnknown, hook["error"]);
    co_return retries_[name + " on " + request.name]++ < hook.value("retries", 0);
  }

  Task<Result<StateMigrationResponse>> MigrateState(Callback callback, StateMigrationRequest request) override {
    const std::string name = callback.token;
    Json details = {{"states", NamesIn(request)}};
    Task<std::optional<Fault>> entering =
        world_.Enter("migrate " + name + " on " + std::string(request.urn.name()), std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    co_return AnswerMigration(Mapping(world_.settings, "migrations").value(name, Json::object()), request);
  }

 private:
  Json Rule(const std::string& name) const {
    const Json rule = Mapping(world_.settings, "transforms").value(name, Json::object());
    AllowOnly(rule,
              {"only", "set", "unset", "protect", "ignoreChanges", "dependsOn", "provider", "version", "hooks",
               "retainOnDelete", "aliases", "additionalSecretOutputs", "deleteBeforeReplace"},
              "transforms." + name);
    return rule;
  }

  static bool Applies(const Json& rule, const std::string& type) { return rule.value("only", type) == type; }

  void Change(const Json& rule, RegisterResourceRequest* request) const {
    const auto texts = [&rule](const char* key) { return rule[key].get<std::vector<std::string>>(); };
    for (const auto& [key, value] : Mapping(rule, "set").items()) {
      request->inputs.Set(key, world_.names.ToValue(value));
    }
    for (const std::string key : rule.value("unset", Json::array())) request->inputs.Erase(key);
    RegisterResourceRequest& options = *request;
    if (rule.contains("protect")) options.protect = rule["protect"].get<bool>();
    if (rule.contains("retainOnDelete")) options.retain_on_delete = rule["retainOnDelete"].get<bool>();
    if (rule.contains("deleteBeforeReplace")) options.delete_before_replace = rule["deleteBeforeReplace"].get<bool>();
    if (rule.contains("ignoreChanges")) options.ignore_changes = texts("ignoreChanges");
    if (rule.contains("additionalSecretOutputs")) options.additional_secret_outputs = texts("additionalSecretOutputs");
    if (rule.contains("version")) options.version = rule["version"];
    if (rule.contains("provider")) options.provider = world_.names.ReferenceOf(rule["provider"]);
    if (rule.contains("dependsOn")) {
      for (const std::string& word : texts("dependsOn")) options.dependencies.emplace_back(world_.names.UrnOf(word));
    }
    if (rule.contains("aliases")) {
      for (const std::string& word : texts("aliases")) {
        Alias alias;
        alias.urn = Urn(world_.names.UrnOf(word));
        options.aliases.push_back(alias);
      }
    }
    for (const auto& [kind, names] : Mapping(rule, "hooks").items()) {
      options.hooks.of(kind == "beforeCreate" ? HookKind::kBeforeCreate : HookKind::kAfterCreate) =
          names.get<std::vector<std::string>>();
    }
  }

  void Add(const char* key, const std::optional<PropertyMap>& properties, Json* details) const {
    if (properties) (*details)[key] = world_.names.ToJson(*properties);
  }

  // Two of many.
  void AddOptions(const char* key, const State* state, Json* details) const {
    if (!state) return;
    Json json = {{"protect", state->protect}, {"dependsOn", Json::array()}};
    for (const Urn& urn : state->dependencies) json["dependsOn"].push_back(world_.names.Label(urn));
    (*details)[key] = std::move(json);
  }

  World& world_;
  std::map<std::string, int> retries_;
};

class FakeHost : public PluginHost {
 public:
  FakeHost(World& world, Json program)
      : world_(world), callbacks_(NewFakeCallbacks(world)), program_(std::move(program)) {}

  Task<Result<ProviderPtr>> LoadProvider(ProviderSpec spec) override {
    Json details = {{"version", spec.version}, {"url", spec.download_url}, {"envVarMappings", spec.env_var_mappings}};
    Task<std::optional<Fault>> entering = world_.Enter("load " + spec.name, std::move(details));
    const std::optional<Fault> fault = co_await std::move(entering);
    if (fault && !fault->status.ok()) co_return fault->status;
    if (!Has(spec)) {
      co_return Status(Code::kNotFound, "no resource plugin 'pulumi-resource-" + spec.name + "' found");
    }
    ProviderPtr provider = NewFakeProvider(world_, spec);
    providers_.push_back(provider);
    co_return provider;
  }

  Task<Result<std::string>> LoadSchema(ProviderSpec spec, std::optional<Parameterization>) override {
    if (!Has(spec)) {
      co_return Status(Code::kNotFound, "no resource plugin 'pulumi-resource-" + spec.name + "' found");
    }
    const ProviderPtr provider = NewFakeProvider(world_, spec);
    Task<Result<std::string>> asking = provider->GetSchema({});
    co_return co_await std::move(asking);
  }

  Task<Result<AnalyzerPtr>> LoadAnalyzer(AnalyzerSpec spec) override {
    for (const Json& pack : world_.settings.value("policies", Json::array())) {
      if (pack["pack"] != spec.path) continue;
      world_.sent["load " + spec.path] = {
          {"stack", spec.stack},     {"project", spec.project}, {"organization", spec.organization},
          {"preview", spec.dry_run}, {"config", spec.config},   {"secretConfig", spec.config_secret_keys}};
      co_return NewFakeAnalyzer(world_, pack);
    }
    co_return Status(Code::kNotFound, "no policy pack " + spec.path);
  }

  Task<Result<LanguageHostPtr>> LoadLanguageHost() override {
    language_ = std::make_shared<FakeLanguageHost>(world_, program_);
    co_return language_;
  }

  Callbacks& callbacks() override { return *callbacks_; }

  Task<Result<std::string>> ServeMonitor(Monitor* monitor) override {
    world_.monitor = monitor;
    co_return std::string("127.0.0.1:1");
  }
  Task<void> StopMonitor() override {
    world_.monitor = nullptr;
    co_return;
  }
  void set_engine_service(EngineService* service) override { world_.service = service; }
  std::string resource_status_address() override { return "127.0.0.1:2"; }

  Task<void> SignalCancellation() override {
    for (const ProviderPtr& provider : providers_) {
      Task<void> cancelling = provider->Cancel();
      co_await std::move(cancelling);
    }
    if (language_) {
      Task<void> cancelling = language_->Cancel();
      co_await std::move(cancelling);
    }
  }
  Task<void> Close() override {
    if (std::exchange(closed_, true)) world_.mismatch = "the host was closed twice";
    co_return;
  }

 private:
  bool Has(const ProviderSpec& spec) const {
    if (!world_.Knows(spec.name)) return false;
    const Json versions = world_.Plugin(spec.name).value("versions", Json::array());
    return versions.empty() || spec.version.empty() ||
           std::find(versions.begin(), versions.end(), Json(spec.version)) != versions.end();
  }

  World& world_;
  std::unique_ptr<Callbacks> callbacks_;
  const Json program_;
  std::vector<ProviderPtr> providers_;
  LanguageHostPtr language_;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<Callbacks> NewFakeCallbacks(World& world) { return std::make_unique<FakeCallbacks>(world); }

std::unique_ptr<PluginHost> NewFakeHost(World& world, const Json& program) {
  return std::make_unique<FakeHost>(world, program);
}

}  // namespace kingpost::scenarios
