// SPDX-License-Identifier: Apache-2.0
#include "bindings/run.h"

#include <filesystem>

#include "bindings/run_config.h"
#include "languages/yaml/yaml_language.h"
#include "operation/driver.h"
#include "operation/expected_providers.h"
#include "operation/fleet/member_reads.h"
#include "operation/fleet/planned_stack.h"
#include "operation/import_file.h"
#include "operation/kept_reasons.h"
#include "operation/other_stacks.h"

namespace kingpost::python {

namespace {

class EventForward final : public EventSink {
 public:
  EventForward(std::function<void(const EngineEvent&)> note, ReasonLog* reasons, fleet::PlannedStack* planned)
      : note_(std::move(note)), reasons_(reasons), planned_(planned) {}
  void Emit(const EngineEvent& event) override {
    reasons_->Emit(event);
    if (planned_ != nullptr) planned_->Emit(event);
    note_(event);
  }

 private:
  const std::function<void(const EngineEvent&)> note_;
  ReasonLog* const reasons_;
  fleet::PlannedStack* const planned_;  // or null
};

}  // namespace

Run::Run(std::shared_ptr<Session> session, RunSettings settings)
    : session_(std::move(session)), settings_(std::move(settings)), wants_events_(settings_.wants_events) {
  session_->patience().Begin();
  thread_ = std::thread(&Run::Work, this);
}

Run::~Run() { thread_.join(); }

void Run::Cancel() {
  session_->patience().Cancel();
  cancellation_.Cancel();
}

void Run::Terminate() {
  session_->patience().Cancel();
  session_->patience().GiveUp();
  cancellation_.Terminate();
}

bool Run::ended() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return done_;
}

void Run::Note(const EngineEvent& event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  outcome_.events.push_back(event);
  if (wants_events_) news_.Wake();
}

void Run::Work() {
  outcome_.status = Operate();
  const std::lock_guard<std::mutex> lock(mutex_);
  done_ = true;
  news_.Wake();
}

void Run::WantEvents() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (wants_events_) return;
  wants_events_ = true;
  told_ = outcome_.events.size();
}

RunNews Run::TakeNews() {
  news_.Rest();
  RunNews news;
  const std::lock_guard<std::mutex> lock(mutex_);
  news.ended = done_;
  if (wants_events_) news.events.assign(outcome_.events.begin() + static_cast<long>(told_), outcome_.events.end());
  told_ = outcome_.events.size();
  return news;
}

Status Run::Operate() {
  const bool preview = settings_.options.preview;
  if (const Status found = FindProject(); !found.ok()) {
    outcome_.program_failed = true;
    return found;
  }
  Result<LoadedOperation> loaded = session_->Begin(preview, listener_, stack_file_ ? &*stack_file_ : nullptr);
  if (!loaded.ok()) return loaded.status();
  loaded->options = settings_.options;
  loaded->config = settings_.config;
  loaded->project_root = std::filesystem::current_path().string();
  if (const Status read = LoadProject(&*loaded); !read.ok()) return read;
  if (const Status read = ReadImports(&*loaded); !read.ok()) return read;
  outcome_.snapshot = loaded->base;
  if (preview) {
    RunEngine(*loaded, nullptr);
    (void)KeepReasons(*loaded, outcome_.result, reasons_, true);  // a preview needs no store that can be written
    return outcome_.result.status;
  }
  JournaledRun real;
  real.run = [&](Recorder* recorder) -> const OperationResult& {
    RunEngine(*loaded, recorder);
    return outcome_.result;
  };
  real.facts = [&] {
    return HistoryFacts{settings_.message, {{"exec.kind", "kingpost.python"}}, RecordedConfig(*loaded->secrets)};
  };
  real.reasons = &reasons_;
  const RunEndStatus ending = RunJournaled(*loop_, &*loaded, real);
  if (!ending.recorded.ok()) return ending.recorded;  // what the user has to know, even if the operation failed too
  return outcome_.result.status.ok() ? ending.released : outcome_.result.status;
}

// The program's own, if it lies in a folder: it says how the program is run, and what its configuration is.
Status Run::FindProject() {
  project_.name = session_->name().project;
  if (settings_.project_folder.empty()) {
    // The dynamic providers of the program run in its interpreter, too, whatever PATH says.
    if (!settings_.virtualenv.empty()) project_.runtime_options = nlohmann::json{{"virtualenv", settings_.virtualenv}};
    return Status::Ok();
  }
  Result<Project> project = Project::FindAndLoad(settings_.project_folder);
  if (!project.ok()) return project.status();
  if (project->name != session_->name().project) {
    return Status(Code::kInvalidArgument, "the project in " + project->folder() + " is called '" + project->name +
                                              "', and the stack is of project '" + session_->name().project + "'");
  }
  Result<StackConfig> file = StackConfig::Load(project->StackConfigFile(session_->name().name), project->name);
  if (!file.ok()) return file.status();
  stack_file_ = std::move(*file);
  project_ = std::move(*project);
  return Status::Ok();
}

Status Run::LoadProject(LoadedOperation* loaded) {
  if (!stack_file_) return Status::Ok();
  auto config = ProjectConfig({project_, *stack_file_, settings_, session_->passphrase()}, *loaded);
  if (!config.ok()) return config.status();
  loaded->config = std::move(*config);
  loaded->project_root = project_.folder();
  if (project_.refresh == "always" && loaded->options.kind != OperationKind::kImport) loaded->options.refresh = true;
  return Status::Ok();
}

Status Run::ReadImports(LoadedOperation* loaded) {
  if (settings_.import_json.empty()) return Status::Ok();
  auto imports =
      ParseImportFile(settings_.import_json, session_->name(), settings_.protect_imports, loaded->secrets.get());
  if (!imports.ok()) return imports.status();
  loaded->options.imports = std::move(*imports);
  return Status::Ok();
}

// With ciphertexts, as in a settings file. `config refresh` brings it back from the record; so one that was given no
// configuration, as a destroy need not be, repeats that of the operation before.
ConfigMap Run::RecordedConfig(SecretsManager& secrets) {
  if (settings_.config.empty()) return session_->LastConfig();
  return SealedConfig(settings_.config, secrets);
}

void Run::RunEngine(const LoadedOperation& loaded, Recorder* recorder) {
  OtherStacks others(*loop_, loaded.context, session_->name().project);
  Operation operation = MakeOperation(loaded, settings_.options.preview);
  GrpcHostOptions host_options;
  host_options.languages = yaml::AsEmbeddedLanguages();
  host_options.project = project_;
  host_options.config = PlainConfigOf(loaded.config);
  Result<std::unique_ptr<PluginHost>> host = NewPythonHost(loop_, settings_.parts, std::move(host_options),
                                                           ProvidersExpectedBy(*loaded.base, operation.options));
  if (!host.ok()) {
    outcome_.result.status = host.status();
    return;
  }

  const bool in_fleet = settings_.fleet && settings_.fleet->reads_wait();
  std::optional<fleet::MemberReads> reads;
  std::optional<fleet::PlannedStack> planned;
  if (in_fleet) reads.emplace(*loop_, others, settings_.fleet->board(), settings_.member, session_->name().project);
  if (in_fleet && settings_.options.preview) planned.emplace(loaded.base);
  EventForward events([this](const EngineEvent& event) { Note(event); }, &reasons_, planned ? &*planned : nullptr);
  for (size_t i = 0; i < settings_.parts.policies.size(); ++i) {
    operation.options.policy_packs.push_back(PolicyPackOf(i, settings_.options.preview));
  }
  operation.host = host->get();
  operation.events = &events;
  operation.recorder = recorder;
  operation.cancellation = &cancellation_;
  operation.load_stack = [&others, &reads](std::string name, StackPart part) {
    return reads ? reads->Load(std::move(name), part) : others.Load(std::move(name), part);
  };
  outcome_.result = loop_->RunUntilDone(RunOperation(*loop_, std::move(operation)));  // closes the host too
  outcome_.program_failed = *settings_.parts.program_failed;
  if (planned && outcome_.result.status.ok()) {
    const bool records_others = planned->changes() || planned->outputs_change();
    const bool changes = records_others || outcome_.result.has_changes || loaded.interrupted;
    settings_.fleet->Keep(settings_.member, planned->Planned(), changes);
  }
  if (outcome_.result.snapshot) outcome_.snapshot = std::make_shared<const Snapshot>(*outcome_.result.snapshot);
}

}  // namespace kingpost::python
