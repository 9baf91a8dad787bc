// SPDX-License-Identifier: Apache-2.0
#include "bindings/run.h"

#include <filesystem>

#include "operation/driver.h"
#include "operation/kept_reasons.h"
#include "operation/other_stacks.h"

namespace kingpost::python {

namespace {

class EventList final : public EventSink {
 public:
  EventList(std::vector<EngineEvent>* events, ReasonLog* reasons) : events_(events), reasons_(reasons) {}
  void Emit(const EngineEvent& event) override {
    reasons_->Emit(event);
    events_->push_back(event);
  }

 private:
  std::vector<EngineEvent>* events_;
  ReasonLog* reasons_;
};

}  // namespace

Run::Run(std::shared_ptr<Session> session, RunSettings settings)
    : session_(std::move(session)), settings_(std::move(settings)), thread_(&Run::Work, this) {}

Run::~Run() { thread_.join(); }

bool Run::Wait(double seconds) {
  std::unique_lock<std::mutex> lock(mutex_);
  return ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; });
}

void Run::Work() {
  outcome_.status = Operate();
  const std::lock_guard<std::mutex> lock(mutex_);
  done_ = true;
  ended_.notify_all();
}

Status Run::Operate() {
  const bool preview = settings_.options.preview;
  Result<OperationBasis> basis = session_->Begin(preview, listener_);
  if (!basis.ok()) return basis.status();
  basis->options = settings_.options;
  basis->config = settings_.config;
  basis->project_root = std::filesystem::current_path().string();
  outcome_.snapshot = basis->base;
  if (preview) {
    RunEngine(*basis, nullptr);
    (void)KeepReasons(*basis, outcome_.result, reasons_, true);  // a preview needs no store that can be written
    return outcome_.result.status;
  }
  RealRun real;
  real.run = [&](Recorder* recorder) -> const OperationResult& {
    RunEngine(*basis, recorder);
    return outcome_.result;
  };
  real.facts = [&] { return HistoryFacts{"", {{"exec.kind", "kingpost.python"}}, RecordedConfig(*basis->secrets)}; };
  real.reasons = &reasons_;
  const RunEnding ending = RunForReal(*loop_, &*basis, real);
  if (!ending.recorded.ok()) return ending.recorded;  // what the user has to know, even if the operation failed too
  return outcome_.result.status.ok() ? ending.released : outcome_.result.status;
}

// With ciphertexts, as in a settings file. `config refresh` brings it back from the record; so one that was given no
// configuration, as a destroy need not be, repeats that of the operation before.
ConfigMap Run::RecordedConfig(SecretsManager& secrets) {
  if (settings_.config.empty()) return session_->LastConfig();
  ConfigMap config;
  for (const auto& [key, value] : settings_.config) {
    if (!value.secret) {
      config[key] = value.value;
    } else if (const Result<std::string> sealed = secrets.Encrypt(value.value); sealed.ok()) {
      config[key] = SecureValue(*sealed);
    }
  }
  return config;
}

void Run::RunEngine(const OperationBasis& basis, Recorder* recorder) {
  OtherStacks others(*loop_, basis.context, session_->name().project);
  Operation operation = MakeOperation(basis, settings_.options.preview);
  GrpcHostOptions host_options;
  host_options.project.name = session_->name().project;
  host_options.config = PlainConfigOf(basis.config);
  Result<std::unique_ptr<PluginHost>> host = NewPythonHost(loop_, settings_.parts, std::move(host_options));
  if (!host.ok()) {
    outcome_.result.status = host.status();
    return;
  }

  EventList events(&outcome_.events, &reasons_);
  for (size_t i = 0; i < settings_.parts.policies.size(); ++i) {
    AnalyzerSpec policy;
    policy.path = PolicyPath(i);
    policy.dry_run = settings_.options.preview;
    operation.options.policy_packs.push_back(std::move(policy));
  }
  operation.host = host->get();
  operation.events = &events;
  operation.recorder = recorder;
  operation.cancellation = &cancellation_;
  operation.load_stack = [&others](std::string name) { return others.Load(std::move(name)); };
  outcome_.result = loop_->RunUntilDone(RunOperation(*loop_, std::move(operation)));  // closes the host too
  if (outcome_.result.snapshot) outcome_.snapshot = std::make_shared<const Snapshot>(*outcome_.result.snapshot);
}

}  // namespace kingpost::python
