// SPDX-License-Identifier: Apache-2.0
#include "engine/import_phase.h"

#include "engine/providers/extension.h"
#include "engine/providers/provider_diff.h"
#include "model/provider_inputs.h"
#include "model/type_name.h"

namespace kingpost::engine {

namespace {

ProviderRequest DescribePlugin(const ImportResource& import, std::string package) {
  ProviderRequest request;
  request.plugin = std::move(package);
  request.version = import.version;
  request.download_url = import.plugin_download_url;
  request.checksums = import.plugin_checksums;
  request.parameterization = import.parameterization;
  return request;
}

bool NeedsProvider(const ImportResource& import) {
  return !IsProviderType(import.type) && (!import.component || import.remote);
}

}  // namespace

Urn ImportPhase::UrnOf(const ImportResource& import) const {
  return parts_.run.MakeUrn(import.parent, import.type, import.name);
}

// The first step that failed ends the import; a cancellation, which fails no step, says so itself.
Status ImportPhase::StepFailed() const {
  if (!executor_.errored()) return Status::Bail("the run was stopped");
  return Status(executor_.first_error().code(), "step application failed: " + executor_.first_error().message());
}

Status ImportPhase::ProviderFailed(const Status& status, const std::string& what) const {
  if (!status.bail()) return status;
  return executor_.errored() ? StepFailed() : Status(Code::kInvalidArgument, what);
}

// Recorded resources stay, in their order: each state is a same step of its own.
Task<Status> ImportPhase::KeepRecorded() {
  for (const StatePtr& recorded : std::vector<StatePtr>(parts_.run.rows().base())) {
    if (recorded->pending_delete) continue;
    auto copy = std::make_shared<State>(*recorded);
    copy->id.clear();
    const decisions::ReasonPtr because = decisions::Because(decisions::Rule::kModeAnswers);
    parts_.run.rows().Keep(recorded->urn, because);
    decisions::Chain chain = {decisions::Same(recorded, copy)};
    chain.front()->because = because;
    Executor::ChainResult result = co_await executor_.Run(std::move(chain));
    if (result.outcome != Executor::Outcome::kDone) co_return StepFailed();
  }
  co_return Status();
}

Task<Result<Urn>> ImportPhase::EnsureStack() {
  for (const StatePtr& recorded : parts_.run.rows().base()) {
    if (recorded->type == kRootStackType && recorded->parent.empty()) co_return recorded->urn;
  }
  auto stack = std::make_shared<State>();
  stack->urn = parts_.run.root_urn();
  stack->type = kRootStackType;
  parts_.run.rows().Claim(stack->urn);
  parts_.run.rows().Decide(stack->urn, decisions::RowOutcome::kCreated, decisions::Because(decisions::Rule::kNew));
  decisions::Chain chain = {decisions::Create(stack)};
  chain.front()->because = decisions::Because(decisions::Rule::kNew);
  Executor::ChainResult result = co_await executor_.Run(std::move(chain));
  if (result.outcome != Executor::Outcome::kDone) co_return StepFailed();
  co_return stack->urn;
}

// A provider that is not recorded: one of the import itself, or one that only its inputs in the file describe.
Task<Result<std::string>> ImportPhase::ExplicitProvider(const ImportResource& import, Urn urn) {
  if (StatePtr recorded = parts_.run.rows().Old(urn)) co_return urn.str() + "::" + recorded->id;
  if (!IsProviderType(urn.type())) {
    co_return Status(Code::kInvalidArgument, "imported provider URN \"" + urn.str() + "\" is not a provider type");
  }
  const bool is_provider = IsProviderType(import.type);
  auto goal = std::make_shared<Goal>();
  goal->type = urn.type();
  goal->name = urn.name();
  goal->custom = true;
  goal->parent = is_provider ? import.parent : Urn();
  const auto& inputs = is_provider ? import.inputs : import.provider_inputs;
  if (inputs) goal->inputs = *inputs;
  ProviderRequest request = DescribePlugin(import, std::string(ProviderPackage(urn.type())));
  SetProviderRequest(&goal->inputs, request);
  Result<ResourceAnswer> registered = co_await requests_.Register(goal, std::nullopt);
  if (!registered.ok()) co_return registered.status();
  co_return urn.str() + "::" + registered->state->id;
}

Task<Result<std::string>> ImportPhase::DefaultProvider(const ImportResource& import) {
  const std::string package(PackageOfType(import.type));
  if (package.empty()) co_return Status(Code::kInvalidArgument, "incorrect package type specified");
  const ProviderRequest request = defaults_.Complete(DescribePlugin(import, package));
  const Urn urn = parts_.run.MakeUrn(Urn(), MakeProviderType(request.package()), request.DefaultName());
  if (StatePtr recorded = parts_.run.rows().Old(urn)) co_return urn.str() + "::" + recorded->id;
  co_return co_await defaults_.Get(request);
}

Task<Status> ImportPhase::ChooseProviders() {
  std::map<Urn, std::string> explicit_references;
  for (const ImportResource& import : imports_) {
    const bool is_provider = IsProviderType(import.type);
    if (!is_provider && (!NeedsProvider(import) || import.provider.empty())) continue;
    const Urn urn = is_provider ? UrnOf(import) : import.provider;
    if (explicit_references.count(urn) > 0) continue;
    Result<std::string> reference = co_await ExplicitProvider(import, urn);
    if (!reference.ok()) {
      co_return ProviderFailed(reference.status(), "explicit provider check failed for " + urn.str());
    }
    explicit_references[urn] = *reference;
  }
  for (const ImportResource& import : imports_) {
    if (!NeedsProvider(import)) continue;
    if (!import.provider.empty()) {
      provider_of_[&import] = explicit_references[import.provider];
      continue;
    }
    Result<std::string> reference = co_await DefaultProvider(import);
    if (!reference.ok()) co_return ProviderFailed(reference.status(), "provider check failed");
    provider_of_[&import] = *reference;
  }
  co_return Status();
}

Task<Status> ImportPhase::ExtendProviders() {
  for (const ImportResource& import : imports_) {
    if (!import.extension) continue;
    const std::string ref = providers::ExtensionRef(*import.extension);
    KP_CO_TRY(co_await parts_.providers.Extend(provider_of_[&import], ref, *import.extension));
    KP_CO_TRY(co_await parts_.recording.Extension(ref, providers::ExtensionJson(*import.extension)));
  }
  co_return Status();
}

decisions::StepPtr ImportPhase::MakeStep(const decisions::NamedImport& named) {
  const ImportResource& import = *named.import;
  auto draft = std::make_shared<State>();
  draft->urn = named.urn;
  draft->type = draft->urn.type();
  draft->custom = !import.component;
  if (import.inputs) draft->inputs = *import.inputs;
  if (import.outputs) draft->outputs = *import.outputs;
  draft->parent = import.parent;
  draft->protect = import.protect;
  auto provider = provider_of_.find(&import);
  if (provider != provider_of_.end()) draft->provider = provider->second;
  draft->import_id = import.id;
  if (import.extension) draft->extension_ref = providers::ExtensionRef(*import.extension);
  decisions::StepPtr step = decisions::Import(draft);
  step->planned_import = true;
  step->because = decisions::Because(decisions::Rule::kImported);
  return step;
}

Task<Status> ImportPhase::ImportBatch(const std::vector<decisions::NamedImport>& batch) {
  std::vector<Executor::ChainResult> results(batch.size());
  Group group(parts_.loop);
  auto run = [](Executor* executor, decisions::Chain chain, Executor::ChainResult* result) -> Task<void> {
    *result = co_await executor->Run(std::move(chain));
  };
  for (size_t i = 0; i < batch.size(); ++i) {
    decisions::StepPtr step = MakeStep(batch[i]);
    parts_.run.rows().Claim(step->urn());
    decisions::Chain chain = {step};
    group.Spawn(run(&executor_, std::move(chain), &results[i]));
  }
  co_await group.Wait();
  for (const Executor::ChainResult& result : results) {
    if (result.outcome != Executor::Outcome::kDone) co_return StepFailed();
  }
  co_return Status();
}

std::vector<decisions::NamedImport> ImportPhase::Named() const {
  std::vector<decisions::NamedImport> named;
  for (const ImportResource& import : imports_) named.push_back({UrnOf(import), &import});
  return named;
}

Task<Status> ImportPhase::Run() {
  if (imports_.empty()) co_return Status();
  for (const ImportResource& import : imports_) {
    if (Status usable = CheckTypeName(import.type); !usable.ok()) co_return usable;
  }
  executor_.set_ignore_errors(true);
  Status status = co_await KeepRecorded();
  if (!status.ok()) co_return status;
  Result<Urn> stack = co_await EnsureStack();
  if (!stack.ok()) co_return stack.status();
  // An import without a parent belongs to the stack.
  for (ImportResource& import : imports_) {
    if (import.parent.empty() && !IsProviderType(import.type)) import.parent = *stack;
  }
  status = co_await ChooseProviders();
  if (!status.ok()) co_return status;
  status = co_await ExtendProviders();
  if (!status.ok()) co_return status;

  const Result<std::vector<decisions::NamedImport>> wanted = decisions::ImportsToMake(Named(), parts_.run.rows());
  if (!wanted.ok()) co_return wanted.status();
  const auto batches = decisions::ImportsByDepth(*wanted);
  for (const auto& [depth, batch] : batches) {
    status = co_await ImportBatch(batch);
    if (!status.ok()) co_return status;
  }
  co_return Status();
}

}  // namespace kingpost::engine
