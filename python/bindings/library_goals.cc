// SPDX-License-Identifier: Apache-2.0
#include "bindings/library_goals.h"

#include "bindings/analyzer.h"
#include "bindings/host.h"
#include "model/output_values.h"
#include "model/property_path.h"
#include "model/value.h"

namespace kingpost::python {

namespace {

// The results of the goals registered so far.
class GoalAnswers {
 public:
  void Add(RegisterResourceResponse answer) { answers_.push_back(std::move(answer)); }

  Urn UrnOf(const Urn& named) const { return IsGoal(named.str()) ? answers_.at(NumberOf(named.str())).urn : named; }

  std::string ProviderOf(const std::string& text) const {
    if (!IsGoal(text)) return text;
    const RegisterResourceResponse& answer = answers_.at(NumberOf(text));
    return answer.urn.str() + "::" + (answer.id.empty() ? std::string(kUnknownString) : answer.id);
  }

  // The value with outputs in place of what stands for them; `urns` gets whose they are.
  Value Resolve(const Value& value, std::vector<Urn>* urns) const {
    return Rewrite(value, [&](const Value& part) -> Value {
      if (!part.is_reference() || part.as_reference().package_version != kGoalOutput) return part;
      const RegisterResourceResponse& answer = answers_.at(NumberOf(part.as_reference().urn.str()));
      AddUnique(urns, answer.urn);
      return OutputOf(answer, part.as_reference().id->as_string());
    });
  }

 private:
  static bool IsGoal(const std::string& text) { return !text.empty() && text[0] == '#'; }
  static size_t NumberOf(const std::string& text) { return std::stoul(text.substr(1)); }

  // An output that a preview does not know yet is unknown.
  static Value OutputOf(const RegisterResourceResponse& answer, const std::string& path) {
    const bool exists = !answer.id.empty() && answer.id != kUnknownString && !answer.unknown;
    if (path == "urn") return answer.urn.str();
    if (path == "id") return exists ? Value(answer.id) : Value(Computed());
    const Result<PropertyPath> parsed = PropertyPath::Parse(path);
    const Value outputs(answer.outputs);
    const Value* found = parsed.ok() ? parsed->Get(outputs) : nullptr;
    if (found) return *found;
    return exists ? Value() : Value(Computed());
  }

  std::vector<RegisterResourceResponse> answers_;
};

RegisterResourceRequest Resolved(RegisterResourceRequest request, const GoalAnswers& answers, const Urn& root) {
  request.parent = request.parent.empty() ? root : answers.UrnOf(request.parent);
  request.provider = answers.ProviderOf(request.provider);
  request.deleted_with = answers.UrnOf(request.deleted_with);
  for (Urn& urn : request.dependencies) urn = answers.UrnOf(urn);
  for (Urn& urn : request.replace_with) urn = answers.UrnOf(urn);
  std::vector<Urn> of_trigger;
  request.replacement_trigger = answers.Resolve(request.replacement_trigger, &of_trigger);
  for (const Urn& urn : of_trigger) AddUnique(&request.dependencies, urn);
  PropertyMap inputs;
  for (const auto& [key, value] : request.inputs) {
    std::vector<Urn> urns;
    inputs.Set(key, answers.Resolve(value, &urns));
    if (urns.empty()) continue;
    for (const Urn& urn : urns) AddUnique(&request.dependencies, urn);
    request.property_dependencies[key] = std::move(urns);
  }
  request.inputs = std::move(inputs);
  return request;
}

RegisterResourceRequest RootRequest(const DeploymentInfo& info) {
  RegisterResourceRequest request;
  request.type = std::string(kRootStackType);
  request.name = info.project + "-" + info.stack;
  return request;
}

class GoalHost final : public PluginHost, public LanguageHost, public Callbacks {
 public:
  GoalHost(Loop& loop, GoalProgram program) : loop_(loop), program_(std::move(program)), calls_(loop), ended_(loop) {}

  Task<Result<ProviderPtr>> LoadProvider(ProviderSpec spec) override {
    auto found = program_.providers.find(spec.name);
    if (found == program_.providers.end()) found = program_.providers.find("*");
    if (found == program_.providers.end()) {
      co_return Status(Code::kNotFound, "no provider of package " + spec.name + " was given");
    }
    ProviderPtr provider = NewPythonProvider(calls_, found->second, spec.name, NoMonitor);
    providers_.push_back(provider);
    co_return provider;
  }
  Task<Result<AnalyzerPtr>> LoadAnalyzer(AnalyzerSpec spec) override {
    const auto& [name, policy] = program_.policies.at(PolicyIndex(spec.path));
    co_return NewPythonAnalyzer(calls_, policy, name, 0);
  }
  Task<Result<LanguageHostPtr>> LoadLanguageHost() override {
    co_return LanguageHostPtr(LanguageHostPtr(), static_cast<LanguageHost*>(this));
  }
  Callbacks& callbacks() override { return *this; }
  Task<Result<std::string>> ServeMonitor(Monitor* monitor) override {
    monitor_ = monitor;
    co_return std::string("in process");
  }
  Task<void> StopMonitor() override { co_return; }
  void set_engine_service(EngineService*) override {}
  std::string resource_status_address() override { return ""; }

  Task<void> SignalCancellation() override {
    for (const ProviderPtr& provider : providers_) {
      auto cancelling = provider->Cancel();
      co_await std::move(cancelling);
    }
    Stop("");
  }
  Task<void> Close() override {
    calls_.Abandon();
    co_return;
  }

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    co_return std::vector<RequiredPackage>();
  }
  Task<Result<RunResponse>> Run(RunRequest request) override {
    loop_.Spawn(Register(std::move(request.info)));
    co_return co_await ended_;
  }
  Task<void> Cancel() override {
    Stop("");
    co_return;
  }

  Task<Result<RegisterResourceRequest>> Transform(Callback, RegisterResourceRequest) override { co_return NotHere(); }
  Task<Result<TransformInvokeResponse>> TransformInvoke(Callback, TransformInvokeRequest) override {
    co_return NotHere();
  }
  Task<Status> RunHook(Callback, ResourceHookRequest) override { co_return NotHere(); }
  Task<Result<bool>> RunErrorHook(Callback, ErrorHookRequest) override { co_return NotHere(); }
  Task<Result<StateMigrationResponse>> MigrateState(Callback, StateMigrationRequest) override { co_return NotHere(); }

 private:
  static Result<ProgramAddresses> NoMonitor() { return NotHere(); }
  static Status NotHere() { return Status(Code::kUnimplemented, "a plan of goals has no functions to call"); }

  Task<void> Register(DeploymentInfo info) {
    auto registering_root = monitor_->RegisterResource(RootRequest(info));
    const Result<RegisterResourceResponse> root = co_await std::move(registering_root);
    Status status = root.status();
    GoalAnswers answers;
    for (const PlannedGoal& goal : program_.goals) {
      if (!status.ok()) break;
      auto registering = monitor_->RegisterResource(Resolved(goal.request, answers, root->urn));
      Result<RegisterResourceResponse> answer = co_await std::move(registering);
      status = answer.status();
      if (answer.ok()) answers.Add(std::move(*answer));
    }
    if (status.ok()) {
      std::vector<Urn> unused;
      auto telling =
          monitor_->RegisterResourceOutputs(root->urn.str(), answers.Resolve(program_.outputs, &unused).as_object());
      status = co_await std::move(telling);
    }
    Stop(status.ok() || status.bail() ? "" : status.message(), !status.ok());
  }

  void Stop(const std::string& error, bool bail = false) {
    RunResponse response;
    response.error = error;
    response.bail = bail && error.empty();
    ended_.Set(std::move(response));
  }

  Loop& loop_;
  const GoalProgram program_;
  PythonCalls calls_;
  Completion<RunResponse> ended_;
  Monitor* monitor_ = nullptr;
  std::vector<ProviderPtr> providers_;
};

}  // namespace

std::unique_ptr<PluginHost> NewGoalHost(Loop& loop, GoalProgram program) {
  return std::make_unique<GoalHost>(loop, std::move(program));
}

}  // namespace kingpost::python
