// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/body_run.h"

#include <filesystem>

#include "assets/content_hash.h"
#include "base/os.h"
#include "languages/pcl/conversions.h"
#include "languages/yaml/settings.h"
#include "languages/yaml/type_inference.h"

namespace kingpost::yaml {

namespace {

pcl::Datum PulumiDatum(const DeploymentInfo& info, const LanguageServices& services) {
  PropertyMap object{{"cwd", Value(services.program_folder)},
                     {"organization", Value(info.organization)},
                     {"project", Value(info.project)},
                     {"rootDirectory", Value(services.root_folder)},
                     {"stack", Value(info.stack)}};
  return {Value(std::move(object)), {}};
}

// An error that the engine itself has reported keeps its code.
Status FailedAt(pcl::Position at, const Status& status) {
  return status.code() == Code::kUnavailable ? status : pcl::ErrorAt(at, status.message());
}

Status NoMonitor() { return Status(Code::kUnavailable, "the run was stopped"); }

}  // namespace

BodyRun::BodyRun(BodyRunParts parts) : parts_(std::move(parts)), loop_(*parts_.services.loop) {
  around_.project = parts_.info.project;
  around_.stack = parts_.info.stack;
  around_.organization = parts_.info.organization;
  around_.working_directory = parts_.services.program_folder;
  around_.root_directory = parts_.services.root_folder;
  around_.preview = parts_.info.dry_run;
  around_.dialect = pcl::Dialect::kYaml;
  around_.find_function = [book = parts_.book](const std::string& token) {
    const auto found = book->FindFunction(token);
    return found.ok() ? found->schema : nullptr;
  };
}

bool Tell(const LanguageServices& services, const Diagnostics& diagnostics, const Source& source) {
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    const bool error = diagnostic.severity == Diagnostic::Severity::kError;
    services.log(error ? Severity::kError : Severity::kWarning, Render(diagnostic, source));
  }
  return !diagnostics.has_errors();
}

bool BodyRun::TellAll(const Diagnostics& diagnostics) {
  const bool well = Tell(parts_.services, diagnostics, parts_.source);
  failed_ = failed_ || !well;
  return well;
}

bool BodyRun::TellError(const Status& status) {
  Diagnostics diagnostics;
  diagnostics.Add(status);
  return TellAll(diagnostics);
}

Task<bool> BodyRun::Check() {
  Diagnostics diagnostics;
  settings_ = parts_.inputs ? *parts_.inputs : SettingsOf(parts_.body, parts_.info);
  std::set<std::string> names;
  for (const auto& [name, datum] : settings_) names.insert(name);
  for (Step& step : OrderOf(parts_.body, names, parts_.info.project, &diagnostics)) {
    steps_.push_back(std::make_unique<RunningStep>(loop_, std::move(step)));
  }
  auto uses = TokensIn(parts_.body);
  co_await parts_.book->Load(uses, &diagnostics);
  if (!diagnostics.has_errors()) CheckTypes(parts_.body, *parts_.book, &diagnostics);
  co_return TellAll(diagnostics);
}

Task<bool> BodyRun::Run() {
  const bool applied = co_await ApplySettings();
  if (!applied) co_return false;
  Group running(loop_);
  for (const auto& step : steps_) running.Spawn(RunStep(step.get()));
  co_await running.Wait();
  if (failed_) co_return false;
  const Status evaluated = co_await EvaluateOutputs();
  co_return TellError(evaluated);
}

Task<bool> BodyRun::ApplySettings() {
  scope_.Set(kPulumi, PulumiDatum(parts_.info, parts_.services));
  for (const auto& [name, datum] : settings_) {
    scope_.Set(name, datum);
    if (name.find(':') == std::string::npos) scope_.Set(parts_.info.project + ":" + name, datum);
  }
  Diagnostics diagnostics;
  pcl::Compute add = [this, &diagnostics](pcl::Evaluator* evaluator) {
    diagnostics = Diagnostics();
    AddDeclared(parts_.body, parts_.info, settings_, evaluator, &scope_, &diagnostics);
    return Status();
  };
  (void)co_await Settle(std::move(add));
  if (!TellAll(diagnostics) || !parts_.body.required_version) co_return !failed_;
  const pcl::Position at = parts_.body.required_version->at;
  Result<pcl::Datum> range = co_await Evaluate(parts_.body.required_version);
  if (!range.ok()) co_return TellError(range.status());
  if (!range->value.is_string()) co_return TellError(pcl::ErrorAt(at, "version range must evaluate to a string"));
  const Status fits = parts_.services.require_version(range->value.as_string());
  co_return TellError(fits.ok() ? fits : pcl::ErrorAt(at, fits.message()));
}

Task<void> BodyRun::RunStep(RunningStep* running) {
  for (const size_t need : running->step.needs) {
    co_await steps_[need]->done;
    running->failed = running->failed || steps_[need]->failed;
  }
  if (!running->failed) {
    const Step& step = running->step;
    auto work = step.kind == Step::Kind::kResource ? RegisterResource(&parts_.body.resources[step.index])
                                                   : SetVariable(&parts_.body.variables[step.index]);
    const Status done = co_await std::move(work);
    running->failed = !done.ok();
    failed_ = failed_ || running->failed;
    // The engine itself has reported its failures.
    if (done.code() != Code::kUnavailable) TellError(done);
  }
  running->done.Set();
}

Task<Status> BodyRun::SetVariable(const NamedExpression* variable) {
  Result<pcl::Datum> value = co_await Evaluate(variable->value);
  if (value.ok()) scope_.Set(variable->name, std::move(*value));
  co_return value.status();
}

Task<Status> BodyRun::RegisterResource(const ResourceDecl* resource) {
  const TokenUse use = UseOf(*resource);
  auto resolved = parts_.book->FindResource(use);
  if (!resolved.ok()) co_return pcl::ErrorAt(resource->type.at, resolved.status().message());
  const Declaration declaration{parts_.body,           *resource,         *resolved, parts_.parent,
                                parts_.component_name, parts_.source_path};
  ReadResourceRequest reading;
  RegisterResourceRequest request;
  pcl::Compute evaluate = [&](pcl::Evaluator* evaluator) {
    if (IsRead(*resource)) {
      auto made = MakeReadRequest(declaration, evaluator, scope_);
      if (made.ok()) reading = std::move(*made);
      return made.status();
    }
    auto made = MakeRegisterRequest(declaration, evaluator, scope_);
    if (made.ok()) request = std::move(*made);
    return made.status();
  };
  KP_CO_TRY(co_await Settle(std::move(evaluate)));
  if (IsRead(*resource)) {
    co_return co_await ReadResource(resource, std::move(reading), resolved->schema->outputs);
  }
  Result<PropertyMap> hashed = co_await Hash(std::move(request.inputs));
  if (!hashed.ok()) co_return pcl::ErrorAt(resource->at, hashed.status().message());
  request.inputs = std::move(*hashed);
  const bool custom = request.custom;
  Monitor* monitor = parts_.services.monitor();
  if (!monitor) co_return NoMonitor();
  Result<RegisterResourceResponse> answer = co_await monitor->RegisterResource(std::move(request));
  if (!answer.ok()) co_return FailedAt(resource->at, answer.status());
  pcl::ResourceResult registered{answer->urn, answer->id, std::move(answer->outputs), custom, answer->unknown};
  // The program goes on, as with the SDKs: what needs it is registered, too, and the engine skips it. At its end it has
  // failed, unless the resource only waits for something.
  if (answer->outcome == RegisterOutcome::kFail || answer->outcome == RegisterOutcome::kAwait) {
    if (answer->outcome == RegisterOutcome::kFail && registration_error_.empty()) {
      registration_error_ = "resource " + std::string(registered.urn.name()) + " [" +
                            std::string(registered.urn.type()) + "] failed to register";
    }
    registered.outputs = PropertyMap();
    registered.unknown = true;
  }
  scope_.Set(resource->key, pcl::ResourceDatum(registered, resolved->schema->outputs, around_.preview));
  co_return Status();
}

Task<Status> BodyRun::ReadResource(const ResourceDecl* resource, ReadResourceRequest request,
                                   const schema::Properties& promised) {
  pcl::ResourceResult read;
  read.id = request.id;
  if (request.id == kUnknownString) {  // it will be read when the ID is known
    const Urn parent(request.parent);
    read.urn = Urn::Make(around_.stack, around_.project, parent.qualified_type(), request.type, request.name);
    read.unknown = true;
  } else {
    Monitor* monitor = parts_.services.monitor();
    if (!monitor) co_return NoMonitor();
    Result<ReadResourceResponse> answer = co_await monitor->ReadResource(std::move(request));
    if (!answer.ok()) co_return FailedAt(resource->at, answer.status());
    read.urn = answer->urn;
    if (!answer->id.empty()) read.id = answer->id;
    read.outputs = std::move(answer->outputs);
    read.unknown = answer->unknown;
  }
  scope_.Set(resource->key, pcl::ResourceDatum(read, promised, false));
  co_return Status();
}

Task<Status> BodyRun::EvaluateOutputs() {
  PropertyMap outputs;
  for (const NamedExpression& output : parts_.body.outputs) {
    Result<pcl::Datum> value = co_await Evaluate(output.value);
    if (!value.ok()) co_return value.status();
    const Value sent = WithoutNulls(pcl::CollapseReferences(pcl::Close(*value)), /*outputs_too=*/true);
    if (sent.is_null()) {
      outputs.Erase(output.name);
    } else {
      outputs.Set(output.name, sent);
    }
  }
  Result<PropertyMap> hashed = co_await Hash(std::move(outputs));
  if (hashed.ok()) outputs_ = std::move(*hashed);
  co_return hashed.status();
}

Task<Status> BodyRun::Settle(pcl::Compute compute) {
  return pcl::Settle(around_, std::move(compute), [this](pcl::Effect effect) { return Perform(std::move(effect)); });
}

Task<Result<pcl::Datum>> BodyRun::Evaluate(pcl::ExpressionPtr expression) {
  pcl::Datum result;
  pcl::Compute evaluate = [&](pcl::Evaluator* evaluator) {
    auto value = evaluator->Evaluate(*expression, scope_);
    if (value.ok()) result = std::move(*value);
    return value.status();
  };
  const Status evaluated = co_await Settle(std::move(evaluate));
  co_return evaluated.ok() ? Result<pcl::Datum>(std::move(result)) : evaluated;
}

Task<Result<pcl::EffectAnswer>> BodyRun::Perform(pcl::Effect effect) {
  if (effect.kind == pcl::Effect::Kind::kReadFile) co_return co_await ReadFile(effect.path);
  KP_ASSERT(effect.kind == pcl::Effect::Kind::kInvoke, "YAML has no methods");
  ResourceInvokeRequest& invoke = effect.invoke;
  const auto function = parts_.book->FindFunction(invoke.token);
  const bool own_version = !invoke.version.empty() || !invoke.plugin_download_url.empty();
  if (function.ok() && !own_version) invoke.package_ref = function->package_ref;
  const ResourceDecl* provider = DefaultProviderOf(parts_.body, schema::PackageOf(invoke.token));
  if (invoke.provider.empty() && provider) {
    const auto handle = AsResource(scope_.Find(provider->key)->datum.value);
    if (handle.ok()) invoke.provider = handle->reference();
  }
  if (invoke.parent.empty() && !parts_.component_name.empty()) invoke.parent = parts_.parent.str();
  Result<PropertyMap> hashed = co_await Hash(WithoutNulls(Value(std::move(invoke.args))).as_object());
  if (!hashed.ok()) co_return hashed.status();
  invoke.args = std::move(*hashed);
  Monitor* monitor = parts_.services.monitor();
  if (!monitor) co_return NoMonitor();
  co_return co_await monitor->Invoke(std::move(invoke));
}

Task<Result<pcl::EffectAnswer>> BodyRun::ReadFile(std::string path) {
  const std::string full = (std::filesystem::path(parts_.services.program_folder) / path).string();
  auto read = [full] { return ReadWholeFile(full); };
  auto text = co_await readers().Run(read);
  if (!text.ok()) co_return text.status().Wrap("Error reading file at path " + path);
  pcl::EffectAnswer answer;
  answer.result.Set("content", Value(std::move(*text)));
  co_return answer;
}

Task<Result<PropertyMap>> BodyRun::Hash(PropertyMap values) {
  if (!NeedsHashes(values)) co_return values;
  auto hash = [values, folder = parts_.services.program_folder] { return WithHashes(values, folder); };
  auto hashing = readers().Run(hash);
  co_return co_await std::move(hashing);
}

WorkerPool& BodyRun::readers() {
  if (!readers_) readers_ = std::make_unique<WorkerPool>(loop_, 2);
  return *readers_;
}

}  // namespace kingpost::yaml
