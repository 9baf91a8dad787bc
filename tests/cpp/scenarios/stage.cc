// SPDX-License-Identifier: Apache-2.0
#include "scenarios/stage.h"

#include <algorithm>
#include <limits>

#include "decisions/reason.h"
#include "journal/replay.h"
#include "journal/seal.h"
#include "languages/snippets/snippets.h"
#include "model/fake_secrets.h"
#include "scenarios/flags.h"
#include "scenarios/reasons.h"
#include "scenarios/record_edits.h"
#include "scenarios/state_json.h"
#include "scenarios/stepwise.h"
#include "scenarios/world.h"

namespace kingpost::scenarios {

namespace {

// Applies what the engine records, as recovery after a crash would. Takes so many entries and no more.
class Replay : public Recorder {
 public:
  Replay(std::shared_ptr<const Snapshot> base, int entries_max, Onlooker* onlooker)
      : replayer_(std::move(base)), left_(entries_max), onlooker_(onlooker) {}

  Task<Status> Append(JournalEntry entry) override {
    if (left_-- <= 0) {
      full = true;
      co_return Status(Code::kUnavailable, "no space left on device");
    }
    if (onlooker_) Show(entry);
    const Status applied = replayer_.Apply(entry);
    if (!applied.ok()) failure = applied;
    co_return applied;
  }
  Snapshot Now() const {
    Snapshot snapshot = replayer_.Materialize();
    for (PendingOperation& open : replayer_.OpenOperations()) snapshot.pending_operations.push_back(std::move(open));
    return snapshot;
  }

  Status failure;
  bool full = false;

 private:
  void Show(const JournalEntry& entry) {
    EncodeOptions options;
    options.secrets = &onlooker_->secrets();
    const Result<std::string> line = EncodeEntry(entry, options);
    onlooker_->Written("journal", line.ok() ? *line : line.status().message());
  }

  Replayer replayer_;
  int left_;
  Onlooker* const onlooker_;
};

// Puts events into the words of the scenario.
class Witness : public EventSink {
 public:
  Witness(World& world, Happened* happened) : world_(world), happened_(happened) {}

  void Emit(const EngineEvent& event) override {
    if (const auto* begun = std::get_if<ResourcePreEvent>(&event)) {
      Planned(begun->planning);
      begun_.insert({begun->metadata.urn, begun->metadata.op});
    }
    if (const auto* done = std::get_if<ResourceOutputsEvent>(&event)) {
      Planned(done->planning);
      Step(done->metadata, "");
    }
    if (const auto* failed = std::get_if<ResourceFailedEvent>(&event))
      Step(failed->metadata, failed->awaited ? " awaiting" : " failed");
    if (const auto* said = std::get_if<DiagnosticEvent>(&event)) Say(*said);
    if (const auto* policy = std::get_if<PolicyEvent>(&event)) Policy(*policy);
    if (const auto* told = std::get_if<PolicyAnalyzeSummaryEvent>(&event)) Summary("analyze", told->urn, *told);
    if (const auto* told = std::get_if<PolicyRemediateSummaryEvent>(&event)) Summary("remediate", told->urn, *told);
    if (const auto* told = std::get_if<PolicyAnalyzeStackSummaryEvent>(&event)) Summary("analyze stack", Urn(), *told);
    if (const auto* change = std::get_if<PolicyRemediationEvent>(&event)) Remediated(*change);
    if (const auto* summary = std::get_if<SummaryEvent>(&event)) {
      happened_->changes = summary->resource_changes;
      happened_->maybe_corrupt = summary->maybe_corrupt;
      world_.sent["tell summary"] = {{"policyPacks", summary->policy_packs}, {"result", summary->result}};
    }
  }

  // Events that say something untrue; "" if none does.
  std::string FalseEvent(const OperationOptions& options) const {
    const bool one_kind = (options.preview ? happening_ : planned_) == 0;
    if (!one_kind) return "steps are told as planned in an update, or as done in a preview";
    if (!never_begun_.empty()) return "a step ended that never began: " + never_begun_;
    return wrong_prefix_.empty() ? reasons_.Complaint(options) : "a message has the prefix \"" + wrong_prefix_ + "\"";
  }

 private:
  void Planned(bool planning) { ++(planning ? planned_ : happening_); }

  void Step(const StepMetadata& step, const std::string& outcome) {
    // A refresh ends as the step that it found.
    const bool has_begun = begun_.count({step.urn, step.op}) + begun_.count({step.urn, StepOp::kRefresh}) > 0;
    if (!has_begun) never_begun_ = StepOpName(step.op) + (" " + step.urn.str());
    if (IsDefaultProviderUrn(step.urn)) return;
    std::string line = std::string(StepOpName(step.op)) + " " + world_.names.Label(step.urn);
    if (step.op == StepOp::kUpdate && !step.diffs.empty()) line += " (" + Join(step.diffs) + ")";
    if (step.op == StepOp::kReplace && !step.keys.empty()) line += " [" + Join(step.keys) + "]";
    happened_->steps.push_back(line + outcome);
    reasons_.Saw(step);
    if (step.because) {
      const std::string by = step.because->by.empty() ? "" : world_.names.Label(step.because->by);
      happened_->because.push_back(std::string(StepOpName(step.op)) + " " + world_.names.Label(step.urn) + ": " +
                                   ReasonLine(*step.because, by));
    }
    if (step.old_state && step.old_state->pending_delete) happened_->condemned.push_back(line + outcome);
  }

  void Say(const DiagnosticEvent& said) {
    std::string line = std::string(SeverityName(said.severity)) + ": ";
    if (!said.urn.empty()) line += world_.names.Label(said.urn) + ": ";
    line += world_.names.Shorten(said.message);
    while (!line.empty() && line.back() == '\n') line.pop_back();
    const bool serious = said.severity == Severity::kError || said.severity == Severity::kWarning;
    (serious ? happened_->says : happened_->tells).push_back(line);
    const bool bare = said.severity == Severity::kInfo || said.severity == Severity::kInfoErr;
    if (said.prefix != (bare ? "" : std::string(SeverityName(said.severity)) + ": ")) {
      wrong_prefix_ = said.prefix.empty() ? "nothing" : said.prefix;
    }
  }

  void Policy(const PolicyEvent& event) {
    std::vector<std::string> exempted;
    for (const AppliedException& exception : event.exceptions) exempted.push_back(exception.id);
    const std::string allowed = exempted.empty() ? "" : " (exempted: " + Join(exempted) + ")";
    happened_->says.push_back(std::string("policy ") + EnforcementLevelName(event.diagnostic.level) + ": " +
                              world_.names.Label(event.urn) + ": " + event.diagnostic.policy + ": " +
                              event.diagnostic.message + allowed);
  }

  template <class Event>
  void Summary(const std::string& call, const Urn& urn, const Event& told) {
    const std::string about = urn.empty() ? call : call + " " + world_.names.Label(urn);
    world_.sent["tell " + about + " by " + told.pack] = {
        {"version", told.version}, {"passed", told.passed}, {"failed", told.failed}};
  }

  void Remediated(const PolicyRemediationEvent& change) {
    world_.sent["tell " + change.remediation.policy + " of " + world_.names.Label(change.urn)] = {
        {"before", world_.names.ToJson(change.before)}, {"after", world_.names.ToJson(change.after)}};
  }

  static std::string Join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  World& world_;
  Happened* happened_;
  ReasonCheck reasons_;
  int planned_ = 0, happening_ = 0;  // events
  std::set<std::pair<Urn, StepOp>> begun_;
  std::string never_begun_, wrong_prefix_;  // a step, and the prefix of a message
};

// Passes events to the witness, and to the onlooker if there is one.
class Audience : public EventSink {
 public:
  Audience(EventSink* witness, EventSink* onlooker) : witness_(witness), onlooker_(onlooker) {}
  void Emit(const EngineEvent& event) override {
    witness_->Emit(event);
    if (onlooker_) onlooker_->Emit(event);
  }

 private:
  EventSink* const witness_;
  EventSink* const onlooker_;
};

std::vector<ImportResource> ToImports(const Names& names, const Json& json) {
  std::vector<ImportResource> imports;
  for (const Json& one : json) {
    AllowOnly(one,
              {"name", "type", "id", "logicalName", "parent", "provider", "version", "properties", "component",
               "remote", "protect", "inputs", "outputs"},
              "imports");
    ImportResource resource;
    resource.name = one["name"];
    resource.type = one.value("type", kDefaultType);
    resource.id = one.value("id", "");
    resource.logical_name = one.value("logicalName", "");
    resource.parent = Urn(names.UrnOf(one.value("parent", "")));
    resource.provider = Urn(names.UrnOf(one.value("provider", "")));
    resource.version = one.value("version", "");
    resource.properties = one.value("properties", std::vector<std::string>());
    resource.component = one.value("component", false);
    resource.remote = one.value("remote", false);
    resource.protect = one.value("protect", false);
    if (one.contains("inputs")) resource.inputs = names.ToProperties(one["inputs"]);
    if (one.contains("outputs")) resource.outputs = names.ToProperties(one["outputs"]);
    imports.push_back(std::move(resource));
  }
  return imports;
}

// A clock that advances one minute at each look. Times show which states an earlier run wrote and which this one did.
class FakeTime {
 public:
  std::string Now() {
    std::string minutes = std::to_string(100 + ++ticks_ % 60).substr(1);
    return "2026-01-01T" + std::to_string(100 + ticks_ / 60 % 24).substr(1) + ":" + minutes + ":00Z";
  }

 private:
  int ticks_ = 0;
};

class Stage {
 public:
  Stage(const Scenario& scenario, unsigned seed, Onlooker* onlooker)
      : scenario_(scenario),
        world_(loop_, seed),
        random_(seed + 1),
        onlooker_(onlooker),
        secrets_(onlooker ? onlooker->secrets() : own_secrets_),
        base_(std::make_shared<Snapshot>()) {
    world_.settings = scenario.world;
  }

  std::vector<Happened> Play() {
    std::vector<Happened> all;
    for (const Json& act : scenario_.acts) {
      all.push_back(PlayAct(act));
      if (!all.back().broken.empty() && (stuck_ || !onlooker_)) break;
    }
    return all;
  }

 private:
  Happened PlayAct(const Json& act) {
    for (const char* key : {"plugins", "policies", "transforms", "migrations", "config", "requires"}) {
      if (act.contains(key)) world_.settings.merge_patch({{key, act[key]}});
    }
    if (act.contains("program")) program_ = act["program"];
    world_.ChangeCloud(act.value("cloud", Json::object()));
    world_.ChangeCloudOf(act.value("cloudOf", Json::object()));
    world_.SetFaults(act.value("faults", Json::object()));
    world_.calls.clear();
    world_.sent.clear();
    world_.mismatch.clear();
    base_ = std::make_shared<const Snapshot>(EditedRecord(world_.names, act, *base_));

    Happened happened;
    Flags flags = ParseFlags(world_.names, act["run"]);
    flags.options.imports = ToImports(world_.names, act.value("imports", Json::array()));
    if (flags.use_plan) flags.options.plan_json = plan_;
    Perform(flags, act.value("journalFails", std::numeric_limits<int>::max()), &happened);
    if (!happened.broken.empty()) return happened;
    happened.state = ResourcesJson(world_.names, *base_);
    for (const PendingOperation& open : base_->pending_operations) {
      happened.pending.push_back(std::string(OperationTypeName(open.type)) + " " +
                                 world_.names.Label(open.resource->urn));
    }
    for (const auto& [id, thing] : world_.cloud) happened.cloud.push_back(id);
    for (const std::string& call : world_.calls) {
      if (Shown(call)) happened.calls.push_back(call);
    }
    for (const auto& [call, details] : world_.sent) happened.sent[call] = details;
    return happened;
  }

  // The life of default providers is shown by `sent` alone.
  static bool Shown(const std::string& call) {
    return call.find(" default") == call.npos && call.rfind("load ", 0) != 0;
  }

  void Perform(const Flags& flags, int entries_max, Happened* happened) {
    Cancellation cancellation(loop_);
    world_.cancellation = &cancellation;
    Witness witness(world_, happened);
    Replay replay(base_, entries_max, onlooker_);
    if (onlooker_) onlooker_->BeginAct(flags.options);
    Audience audience(&witness, onlooker_ ? onlooker_->events() : nullptr);
    const std::unique_ptr<PluginHost> host = NewFakeHost(world_, program_);
    Operation operation = MakeOperation(flags);
    operation.host = host.get();
    operation.events = &audience;
    operation.cancellation = &cancellation;
    if (!flags.options.preview) operation.recorder = &replay;

    std::optional<OperationResult> result = RunStepwise(loop_, std::move(operation), [&](bool) {
      return world_.answers.Release() || (cancellation.terminated() && world_.answers.Kill());
    });
    if (!result) {
      stuck_ = true;
      happened->broken = "the run is stuck: nobody waits for an answer, and it has not ended";
      return;
    }
    if (onlooker_) onlooker_->EndAct();
    Conclude(flags, *result, replay, happened);
    if (happened->broken.empty()) happened->broken = witness.FalseEvent(flags.options);
  }

  Operation MakeOperation(const Flags& flags) {
    Operation operation;
    operation.options = flags.options;
    operation.project = kProject;
    operation.stack = kStack;
    operation.organization = "organization";
    operation.project_root = "/home/dev/shop";
    operation.base = base_;
    operation.find_sources = snippets::FindSnippets;
    operation.plan_secrets = &secrets_;
    const Json config = world_.settings.value("config", Json::object());
    for (const auto& [key, value] : config.items()) {
      operation.config[key] = value.is_string() ? value.get<std::string>() : value.dump();
    }
    operation.config_secret_keys = world_.settings.value("secretConfig", std::vector<std::string>());
    for (const Json& pack : world_.settings.value("policies", Json::array())) {
      AnalyzerSpec spec;
      spec.path = pack["pack"];
      operation.options.policy_packs.push_back(std::move(spec));
    }
    operation.environment.now_rfc3339 = [this] { return time_.Now(); };
    operation.environment.random_bytes = [this](int n) {
      std::string bytes;
      while (n-- > 0) bytes.push_back(static_cast<char>(random_()));
      return bytes;
    };
    operation.load_stack = [this](std::string name, StackPart) { return OtherStack(std::move(name)); };
    return operation;
  }

  // stacks: {organization/other/dev: {outputs: {..}}}
  Task<Result<std::shared_ptr<const Snapshot>>> OtherStack(std::string name) const {
    const Json stacks = world_.settings.value("stacks", Json::object());
    if (!stacks.contains(name)) co_return Status(Code::kNotFound, "unknown stack \"" + name + "\"");
    auto root = std::make_shared<State>();
    root->urn = Urn::Make("dev", "other", "", kRootStackType, "other-dev");
    root->type = kRootStackType;
    root->outputs = world_.names.ToProperties(stacks[name]);
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->resources.push_back(root);
    co_return std::shared_ptr<const Snapshot>(snapshot);
  }

  void Conclude(const Flags& flags, OperationResult& result, const Replay& replay, Happened* happened) {
    if (!result.status.ok()) happened->fails = world_.names.Shorten(result.status.message());
    if (!result.status.ok() && happened->fails.empty()) happened->fails = "failed";
    if (happened->broken.empty()) happened->broken = world_.mismatch;
    happened->has_changes = result.has_changes;
    if (flags.save_plan) {
      plan_ = result.plan_json;
      if (onlooker_) onlooker_->Written("plan", plan_);
      happened->plan = PlanJson(world_.names, plan_);
    }
    if (flags.options.preview) {
      if (result.snapshot) happened->broken = "a preview left a new record";
      return;
    }
    if (!replay.failure.ok()) happened->broken = "the journal was refused: " + replay.failure.message();
    if (replay.full && result.status.ok()) happened->broken = "the journal took no more, and the run went well";
    const Snapshot recovered = replay.Now();
    Snapshot saved = result.snapshot && !replay.full ? std::move(*result.snapshot) : recovered;
    if (Essentials(saved) != Essentials(recovered)) {
      happened->broken = "the journal tells another story than the engine:\n" +
                         ResourcesJson(world_.names, recovered).dump(2) + "\nand the engine:\n" +
                         ResourcesJson(world_.names, saved).dump(2);
    }
    for (const StatePtr& state : saved.resources) {
      if (state->is_provider() && !state->custom) happened->broken = state->urn.str() + " is recorded as a component";
    }
    Save(std::move(saved), happened);
  }

  // Returns the record without the fields that only describe the program: the engine writes them at the end of the run.
  Json Essentials(const Snapshot& snapshot) const {
    Json all = Json::array();
    const Json resources = ResourcesJson(world_.names, snapshot);
    for (Json fields : resources) {
      for (const char* key : {"initErrors", "additionalSecretOutputs", "importID", "modified", "sourcePosition",
                              "ignoreChanges", "hideDiff", "replaceOnChanges", "refreshBeforeUpdate"}) {
        fields.erase(key);
      }
      all.push_back(std::move(fields));
    }
    std::sort(all.begin(), all.end());  // several may wait under one URN
    return all;
  }

  // Through the file's text and back, so that the next act sees what a real one would.
  void Save(Snapshot snapshot, Happened* happened) {
    SealOptions seal;
    seal.now_rfc3339 = time_.Now();
    seal.version = "3.274.1";
    snapshot.secrets_type = secrets_.type();
    snapshot.secrets_state_json = secrets_.state();
    const Status sealed = SealSnapshot(seal, &snapshot);
    if (!sealed.ok()) happened->broken = "the record is not sound: " + world_.names.Shorten(sealed.message());
    CheckpointDocument document;
    document.stack = "organization/shop/dev";
    document.has_latest = true;
    document.snapshot = std::move(snapshot);
    EncodeOptions encode;
    encode.secrets = &secrets_;
    const Result<std::string> text = EncodeCheckpoint(document, encode);
    if (!text.ok()) {
      happened->broken = "the record cannot be written: " + text.status().message();
      return;
    }
    if (onlooker_) onlooker_->Written("state", *text);
    DecodeOptions decode;
    decode.secrets = &secrets_;
    Result<CheckpointDocument> read = DecodeCheckpoint(*text, decode);
    if (!read.ok()) {
      happened->broken = "the record cannot be read: " + read.status().message();
      return;
    }
    base_ = std::make_shared<const Snapshot>(std::move(read->snapshot));
  }

  const Scenario& scenario_;
  Loop loop_;
  World world_;
  std::mt19937 random_;
  FakeTime time_;
  Onlooker* const onlooker_;
  testing::FakeSecrets own_secrets_;
  SecretsManager& secrets_;
  std::shared_ptr<const Snapshot> base_;
  Json program_ = Json::array();
  std::string plan_;
  bool stuck_ = false;
};

}  // namespace

std::vector<Happened> Play(const Scenario& scenario, unsigned seed, Onlooker* onlooker) {
  return Stage(scenario, seed, onlooker).Play();
}

}  // namespace kingpost::scenarios
