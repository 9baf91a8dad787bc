// SPDX-License-Identifier: Apache-2.0
#include "engine/deployment.h"

#include <chrono>
#include <set>

#include "base/encoding.h"
#include "decisions/failures.h"
#include "decisions/migrate_base.h"
#include "decisions/pending_operations.h"
#include "decisions/preview.h"
#include "decisions/read_rules.h"
#include "decisions/refresh_rules.h"
#include "decisions/required_packages.h"
#include "decisions/run_mode.h"
#include "engine/delete_phase.h"
#include "engine/import_phase.h"
#include "engine/providers/builtins.h"
#include "model/version_range.h"

namespace kingpost {

void Cancellation::Cancel() {
  cancelled_ = true;
  loop_->Post([this] {
    if (on_change) on_change();
  });
}

void Cancellation::Terminate() {
  cancelled_ = true;
  terminated_ = true;
  loop_->Post([this] {
    if (on_change) on_change();
  });
}

Task<OperationResult> RunOperation(Loop& loop, Operation operation) {
  auto deployment = std::make_unique<engine::Deployment>(loop, std::move(operation));
  OperationResult result = co_await deployment->Run();
  co_return result;
}

namespace engine {

namespace {

using Given = decisions::Selection::Given;

}  // namespace

Deployment::Deployment(Loop& loop, Operation operation)
    : loop_(loop),
      operation_(std::move(operation)),
      options_(operation_.options),
      run_(operation_),
      report_(operation_.events, options_, run_.rows()),
      preflight_(operation_, run_, report_),
      recording_(decisions::IsRemembered(options_.preview, options_.kind == OperationKind::kImport),
                 operation_.recorder, operation_.base),
      hooks_(operation_, report_),
      views_(operation_, run_, report_),
      policies_(loop, operation_, run_, report_),
      beside_(loop, operation_, report_),
      program_(loop, operation_),
      source_done_(loop),
      host_closed_(loop) {
  if (options_.kind == OperationKind::kRefresh) operation_.options.refresh = true;
  providers::ProviderMode mode;
  mode.disable_preview = options_.disable_provider_preview;
  mode.register_component = [this](std::string type, std::string name, Urn parent) {
    return monitor_->RegisterInPlace(std::move(type), std::move(name), std::move(parent));
  };
  providers_ = std::make_unique<providers::ProviderRegistry>(loop_, operation_, run_.rows(), report_,
                                                             providers::MakeBuiltins(operation_, run_.rows(), report_),
                                                             std::move(mode));
  executor_ = std::make_unique<Executor>(parts());
  program_.on_ended = [this] { beside_.ProgramEnded(); };
  beside_.on_all_ended = [this] { source_done_.Set(); };
  executor_->on_stop = [this] {
    if (monitor_) monitor_->AbandonConstructions();
    beside_.Stop();
    source_done_.Set();
  };
}

Deployment::~Deployment() {
  if (operation_.cancellation) operation_.cancellation->on_change = nullptr;
}

void Deployment::Log(Severity severity, std::string message, std::string urn, int stream_id, bool ephemeral) {
  Urn about(std::move(urn));
  if (decisions::IsExistsQuery(about)) about = Urn();
  report_.Log(severity, about, message, stream_id, ephemeral);
}

std::string Deployment::root_resource() { return root_resource_; }
void Deployment::set_root_resource(std::string urn) { root_resource_ = std::move(urn); }

void Deployment::StartDebugging(std::map<std::string, std::string> config, std::string message) {
  StartDebuggingEvent event;
  event.config = std::move(config);
  event.message = std::move(message);
  report_.Emit(event);
  report_.Log(Severity::kInfo, Urn(), "Waiting for debugger to attach (" + event.message + ")...", 0, false);
}

Status Deployment::RequireVersion(const std::string& range) { return RequirePulumiVersion(range); }

Status Deployment::PublishViewSteps(const std::string& token, const std::vector<ViewStep>& steps) {
  return views_.Publish(token, steps);
}

void Deployment::Progress(const ProgressEvent& event) { report_.Emit(event); }

void Deployment::EmitPrelude() {
  PreludeEvent event;
  const std::set<std::string> secret(operation_.config_secret_keys.begin(), operation_.config_secret_keys.end());
  for (const auto& [key, value] : operation_.config) {
    event.config[key] = secret.count(key) > 0 ? "[secret]" : value;
  }
  report_.Emit(event);
}

void Deployment::OnCancellation() {
  executor_->Stop();
  if (operation_.cancellation->terminated()) {
    operation_.host->ShortenShutdown();
    loop_.Spawn(CloseHost());
    return;
  }
  loop_.Spawn(operation_.host->SignalCancellation());
}

Status Deployment::ReadOptions() {
  if (!options_.plan_json.empty()) {
    DecodeOptions decode;
    decode.secrets = operation_.plan_secrets;
    auto parsed = update_plan::UpdatePlan::Parse(options_.plan_json, decode);
    if (!parsed.ok()) return parsed.status().Wrap("reading the update plan");
    constraint_ = std::move(*parsed);
    constraint_->ShowSecrets(options_.show_secrets);
  }
  if (options_.save_plan) plan_builder_.emplace(operation_.config, operation_.config_secret_keys);
  auto naming = operation_.config.find("pulumi:autonaming");
  if (naming == operation_.config.end()) return Status();
  auto parsed = decisions::Autonamer::Parse(naming->second, operation_.config, operation_.organization,
                                            operation_.project, operation_.stack);
  if (parsed.ok()) autonamer_ = std::move(*parsed);
  return parsed.status();
}

Task<Status> Deployment::Prepare() {
  // Told only when all parts are there: the end of a run needs them.
  const Status readable = ReadOptions();
  requests_ = std::make_unique<ResourceRequests>(ResourceRequestParts{
      parts(), *executor_, policies_, constraint_ ? &*constraint_ : nullptr, plan_builder_ ? &*plan_builder_ : nullptr,
      autonamer_ ? &*autonamer_ : nullptr, decisions::ModeOf(options_), decisions::RefreshTimeOf(options_)});
  defaults_ = std::make_unique<DefaultProviders>(loop_, operation_, *requests_);
  const Status found = beside_.Find();
  monitor_ = std::make_unique<MonitorService>(MonitorParts{parts(), *requests_, *defaults_, beside_.published()});
  operation_.host->set_engine_service(this);
  if (operation_.cancellation) {
    operation_.cancellation->on_change = [this] { OnCancellation(); };
    if (operation_.cancellation->cancelled()) OnCancellation();
  }
  if (!readable.ok() || !found.ok()) co_return readable.ok() ? found : readable;
  EmitPrelude();
  KP_CO_TRY(co_await policies_.Load());
  co_return co_await BringBaseUpToDate();
}

Task<Status> Deployment::BringBaseUpToDate() {
  const auto recorded = operation_.base;
  std::vector<Urn> unknown;
  auto resolved = decisions::ResolvePendingCreates(*recorded, options_, &unknown);
  if (!resolved.ok()) co_return resolved.status();
  for (const Urn& urn : unknown) report_.Warning(Urn(), Quote(urn.str()) + " did not correspond to a pending create");
  if (*resolved) operation_.base = *resolved;
  auto migrated = decisions::MigrateBase(
      *operation_.base, operation_.stack, operation_.project, operation_.environment.random_bytes,
      [this](const std::string& package) { return defaults_->PackageConfig(package); });
  if (migrated) operation_.base = std::move(migrated);
  KP_CO_TRY(decisions::CheckIds(*operation_.base));
  run_.rows().SetBase(operation_.base->resources);
  run_.rows().DoubtDeletes(*operation_.base);
  if (operation_.base == recorded) co_return Status();
  Status written = co_await recording_.WriteBase(operation_.base);
  co_return written.Wrap("failed to rebase deployment");
}

Task<Status> Deployment::RefreshFirst(bool* finished) {
  *finished = false;
  const decisions::FirstRefresh first = decisions::FirstRefreshOf(options_, run_.rows());
  if (first == decisions::FirstRefresh::kNothing) {
    // A plain refresh clears them and says nothing; one that runs the program warns, as the reference does.
    if (!options_.refresh || options_.run_program) preflight_.WarnOfPendingOperations();
    co_return Status();
  }
  // Where nothing is recorded there is nothing to read, and no target can be wrong yet.
  Status known;
  for (const Given given : {Given::kTargets, Given::kExcludes}) {
    if (known.ok() && !run_.rows().base().empty()) known = preflight_.CheckLiterals(given, /*registered_too=*/false);
  }
  if (!known.ok()) co_return known;
  RefreshPhase refresh(parts(), *executor_);
  Status refreshed = co_await refresh.BeforeProgram(first == decisions::FirstRefresh::kFlagged);
  *finished = options_.kind == OperationKind::kRefresh;
  co_return refreshed;
}

Task<Status> Deployment::Execute() {
  if (options_.kind == OperationKind::kImport) {
    const std::vector<RequiredPackage> packages = co_await program_.LearnPackages();
    if (Status known = defaults_->SetRequired(packages); !known.ok()) co_return known;
    ImportPhase import(parts(), *requests_, *defaults_, *executor_);
    Status imported = co_await import.Run();
    if (!imported.ok() && cancelled()) co_return Status();  // told at the end
    co_return imported.ok() || imported.bail() ? imported : imported.Wrap(RunKind() + " failed");
  }
  Status checked = preflight_.CheckTargetsRecorded();
  if (checked.ok()) checked = preflight_.CheckNoDeleteHooks();
  if (!checked.ok()) co_return checked;
  if (!options_.run_program) {
    const std::vector<RequiredPackage> packages = co_await program_.LearnPackages();
    preflight_.WarnOfOlderPackages(packages);
  }
  co_await program_.InstallPlugins(decisions::RecordedPackages(run_.rows().base()));
  bool finished = false;
  Status refreshed = co_await RefreshFirst(&finished);
  if (!refreshed.ok() || finished) co_return refreshed;
  checked = preflight_.CheckLiterals(Given::kReplaces, /*registered_too=*/false);
  if (!checked.ok()) co_return checked;
  co_return co_await RunSource();
}

Task<Status> Deployment::RunSource() {
  Status status;
  if (options_.run_program && !cancelled()) {
    status = co_await program_.Start(monitor_.get(), defaults_.get(), executor_.get());
    if (!status.ok()) co_return status;
    beside_.Start(*monitor_);
    loop_.Spawn(program_.Run());
    loop_.Spawn([](Deployment* self, std::shared_ptr<bool> alive) -> Task<void> {
      co_await self->monitor_->signalled();
      if (*alive) self->beside_.ProgramEnded();
    }(this, alive_));
    co_await source_done_;
    if (!program_.failed()) {
      co_await monitor_->Idle();
      monitor_->Seal();
    }
  }
  const bool program_failed = program_.failed();
  report_.Report(Urn(), program_.status());
  if (beside_.failed()) status = Status::Bail(beside_.failure().message());
  if (program_failed || beside_.failed()) executor_->Stop();
  if (!executor_->stopped() && !program_failed) {
    status = co_await SettleUnregistered();
  }
  if (program_.started()) {
    Status ended = co_await program_.End();
    if (!program_failed) report_.Report(Urn(), executor_->stopped() ? Status() : ended);
    if (status.ok()) status = std::move(ended);
    co_await beside_.Finished();
    co_await monitor_->Idle();
  }
  co_return status.ok() ? status : Status::Bail(status.message());
}

// Handles the resources that the program did not register: deletes them, or refreshes them.
Task<Status> Deployment::SettleUnregistered() {
  const Status targets = preflight_.CheckLiterals(Given::kTargets, /*registered_too=*/true);
  Status status;
  if (decisions::ModeOf(options_) == decisions::RunMode::kRefresh) {
    RefreshPhase refresh(parts(), *executor_);
    status = co_await refresh.AfterProgram();
  } else {
    DeletePhase deletes(parts(), requests_->gate(), *executor_);
    status = co_await deletes.Run(program_.missing());
    delete_refused_ = status.bail();
  }
  report_.Report(Urn(), status);
  co_return status.ok() ? targets : status;
}

Status Deployment::CheckPlanLeftovers() {
  if (!constraint_) return Status();
  const auto leftovers = constraint_->Leftovers(run_.rows().base());
  for (const auto& [urn, status] : leftovers) report_.Report(urn, status);
  return leftovers.empty() ? Status() : Status::Bail("the update did less than its plan");
}

std::string Deployment::RunKind() const { return options_.preview ? "preview" : "update"; }

Task<Status> Deployment::Finish(Status status) {
  report_.Report(Urn(), status);
  bool stopped = (!status.ok() && !delete_refused_) || executor_->errored() || requests_->failed();
  bool failed = stopped || !status.ok() || executor_->has_post_step_error() || report_.refused();
  Status finished = co_await requests_->FinishStackOutputs(failed || cancelled() || executor_->awaited());
  if (!finished.ok()) {
    report_.Report(Urn(), finished);
    stopped = failed = true;
  }
  if (!failed && !cancelled()) {
    status = CheckPlanLeftovers();
    stopped = failed = !status.ok();
  }
  // Also where a preview or the deletes of an update were refused: the user hears of all that is wrong.
  if (!stopped && !cancelled() && options_.kind != OperationKind::kImport) {
    Status analyzed = co_await policies_.AnalyzeStack();
    report_.Report(Urn(), analyzed);
    failed = failed || !analyzed.ok() || report_.refused() || executor_->has_post_step_error();
  }
  const std::string kind = RunKind();
  if (failed) {
    decisions::EndOfRun end;
    end.status_failed = !status.ok();
    end.steps_failed = executor_->errored();
    end.deletes_refused = delete_refused_;
    end.registration_failed = requests_->failed();
    end.program_failed = !program_.status().ok();
    end.is_import = options_.kind == OperationKind::kImport;
    if (decisions::EndsWithSummaryError(end)) report_.Error(Urn(), kind + " failed");
    co_return Status::Bail(kind + " failed");
  }
  if (cancelled()) {
    report_.Error(Urn(), kind + " canceled");
    co_return Status(Code::kCancelled, kind + " canceled");
  }
  if (executor_->awaited()) {
    const std::string text = kind + " has awaiting resources";
    report_.Warning(Urn(), text);
    co_return Status::Bail(text).With(AwaitFailed());
  }
  co_return Status();
}

void Deployment::EmitSummary(const Status& status, double duration_s) {
  SummaryEvent event;
  event.is_preview = options_.preview;
  event.maybe_corrupt = report_.maybe_corrupt();
  event.duration_s = duration_s;
  event.resource_changes = report_.changes();
  event.policy_packs = policies_.versions();
  event.result = status.ok() ? "succeeded" : status.code() == Code::kCancelled ? "canceled" : "failed";
  report_.Emit(event);
}

OperationResult Deployment::MakeResult(Status status) const {
  OperationResult result;
  result.status = std::move(status);
  result.changes = report_.changes();
  result.has_changes = report_.has_changes();
  if (!recording_.enabled() || !recording_.dirty()) return result;
  (options_.preview ? result.predicted_snapshot : result.snapshot) = recording_.Materialize();
  return result;
}

// Runs once, by a termination or at the end; a second caller waits for the first.
Task<void> Deployment::CloseHost() {
  if (host_closing_) {
    co_await host_closed_;
    co_return;
  }
  host_closing_ = true;
  co_await operation_.host->Close();
  host_closed_.Set();
}

Task<OperationResult> Deployment::Run() {
  const auto begin = Loop::Clock::now();
  Status status = co_await Prepare();
  if (status.ok()) {
    status = co_await Execute();
  }
  status = co_await Finish(status);
  *alive_ = false;
  monitor_->signalled().Set();  // lets the task that waits for it end
  const double duration_s = std::chrono::duration<double>(Loop::Clock::now() - begin).count();
  EmitSummary(status, duration_s);
  co_await CloseHost();
  OperationResult result = MakeResult(status);
  if (plan_builder_ && status.ok()) {
    EncodeOptions encode;
    encode.show_secrets = options_.show_secrets;
    encode.secrets = operation_.plan_secrets;
    auto json = plan_builder_->Json(operation_.environment.now_rfc3339(), encode);
    if (json.ok()) {
      result.plan_json = *json;
    } else {
      result.status = json.status();
    }
  }
  report_.Emit(CancelEvent{});
  co_return result;
}

}  // namespace engine
}  // namespace kingpost
