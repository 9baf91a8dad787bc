// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/operation_run.h"

#include <unistd.h>

#include <deque>

#include "base/engine_log.h"
#include "base/os.h"
#include "cli/operations/event_listener.h"
#include "cli/packages/process_host.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "cli/session/signals.h"
#include "cli/timings/logged_work.h"
#include "cli/timings/timed_host.h"
#include "cli/timings/timings_file.h"
#include "cli/timings/trace.h"
#include "console/display/event_log.h"
#include "console/display/labels.h"
#include "console/display/markdown_report.h"
#include "console/display/outcome_notes.h"
#include "console/display/output.h"
#include "console/log/command_log.h"
#include "engine/slot_wait_observer.h"
#include "kingpost/operation_word.h"
#include "model/stack_reference.h"
#include "operation/dynamic_guess.h"
#include "operation/expected_providers.h"
#include "wire/package_host.h"

namespace kingpost {

namespace {

constexpr std::chrono::seconds kLogLimit{5};

// Collects the data from the events that the exit status and the error line need.
class OutcomeWatch : public EventSink {
 public:
  OutcomeWatch(const std::string& word, bool preview)
      : summary_(word + " failed"), engines_summary_(preview ? "preview failed" : "update failed") {}

  void Emit(const EngineEvent& event) override {
    if (const auto* violation = std::get_if<PolicyEvent>(&event)) {
      const PolicyDiagnostic& found = violation->diagnostic;
      const bool forbids = violation->forbids() && !found.not_applicable;
      if (forbids && of_resource_.empty()) of_resource_ = "the policy '" + found.policy + "' is violated";
    }
    const auto* diagnostic = std::get_if<DiagnosticEvent>(&event);
    if (!diagnostic || diagnostic->severity != Severity::kError) return;
    const Urn& urn = diagnostic->urn;
    resource_failed_ = resource_failed_ || (!urn.empty() && urn.type() != kStackReferenceType);
    std::string& first = urn.empty() ? of_run_ : of_resource_;
    if (first.empty())
      first = (urn.empty() ? "" : std::string(urn.name()) + ": ") + ErrorInOneLine(diagnostic->message);
  }

  // An error of the run itself says most, unless it is no more than that the run failed: "destroy failed: db: no such
  // host".
  std::string first_error() const {
    if (of_resource_.empty() || (!of_run_.empty() && of_run_ != engines_summary_)) return of_run_;
    return summary_ + ": " + of_resource_;
  }
  bool resource_failed() const { return resource_failed_; }

 private:
  const std::string summary_, engines_summary_;
  std::string of_run_, of_resource_;
  bool resource_failed_ = false;
};

class NoDisplay final : public EventConsumer {
 public:
  void Consume(const EngineEvent&) override {}
};

// The cancellation is asked by the display's thread, which may outlive the operation.
std::unique_ptr<EventConsumer> MakeDisplay(const Session& session, const OperationFlags& flags,
                                           const OperationSetup& setup, bool preview,
                                           std::shared_ptr<const Cancellation> cancellation) {
  if (setup.shared && setup.shared->display) return setup.shared->display(setup, preview);
  if (flags.json && preview && !IsTrueVariable("PULUMI_ENABLE_STREAMING_JSON_PREVIEW")) {
    // The document is for programs: secrets stay masked in it whatever the flags say.
    return NewPreviewDigest(MakeMasking(setup.config, false), flags.show);
  }
  if (flags.output == kNoOutput) return std::make_unique<NoDisplay>();
  if (flags.json) return NewEventStream(setup.masking);
  if (flags.output == "json") return NewSummaryLine(flags.show);
  DisplayOptions options = DisplayOf(session, flags, setup, preview);
  options.interruptions = [cancellation = std::move(cancellation)] {
    return cancellation->cancelled() + cancellation->terminated();
  };
  if (flags.output == kOutputToStandardError) {
    options.fd = STDERR_FILENO;
    return NewPlainProgress(std::move(options));
  }
  if (flags.output == "markdown") return NewMarkdownReport(std::move(options));
  if (flags.diff) return NewDiffDisplay(std::move(options));
  const bool live = IsTerminal(STDOUT_FILENO) && !session.globals().non_interactive && !flags.show.suppress_progress;
  return live ? NewTreeProgress(std::move(options)) : NewPlainProgress(std::move(options));
}

// The listener or file of --event-log. What is wrong with it never fails an operation.
std::unique_ptr<SinkQueue> MakeEventLog(Session& session, const OperationFlags& flags, const OperationSetup& setup) {
  if (flags.event_log.empty()) return nullptr;
  Result<std::unique_ptr<EventConsumer>> log = flags.event_log.rfind("tcp://", 0) == 0
                                                   ? NewEventListener(flags.event_log, setup.masking)
                                                   : NewFileEventLog(flags.event_log, setup.masking);
  if (!log.ok()) {
    session.Warn(log.status().message());
    return nullptr;
  }
  return std::make_unique<SinkQueue>(std::move(*log), std::chrono::milliseconds(0));
}

// The log's settings for plugins, as the reference sends them.
std::vector<std::string> LogFlagsForPlugins(const GlobalOptions& globals) {
  std::vector<std::string> flags;
  if (!globals.log_flow) return flags;
  if (globals.log_to_standard_error) flags.push_back("--logtostderr");
  if (globals.verbose > 0) flags.push_back("-v=" + std::to_string(globals.verbose));
  return flags;
}

// Each provider that is begun early is a piece of work of its own.
EarlyWatch TimeEarly(Timings* timings) {
  if (!timings) return nullptr;
  return [timings](const std::string& package) -> std::shared_ptr<void> {
    return std::make_shared<Timings::Span>(timings, Timings::Activity::kEarly, "StartEarly", package);
  };
}

ProcessHostOptions HostOptionsOf(const Session& session, const OperationFlags& flags, const OperationSetup& setup) {
  ProcessHostOptions wanted;
  wanted.client = flags.client;
  wanted.config = setup.config;
  wanted.wants_debug_messages = flags.debug || !flags.event_log.empty();
  wanted.attach_debugger = flags.attach_debugger;
  wanted.log_flags = LogFlagsForPlugins(session.globals());
  if (setup.shared) {
    wanted.supervisor = setup.shared->supervisor;
    wanted.lives_on = true;
  }
  return wanted;
}

// Those of the preview, or else those that are recorded, or else those that the program seems to need.
ExpectedProviders LikelyProviders(const OperationSetup& setup, const EarlyProcesses& early) {
  if (early.providers) return {*early.providers, std::nullopt};
  ExpectedProviders likely = ProvidersExpectedBy(*setup.base, setup.options);
  likely.first_run = setup.base->resources.empty() && setup.options.run_program;
  const std::optional<std::string> dynamic = likely.first_run ? GuessDynamicProvider(*setup.project) : std::nullopt;
  if (dynamic) likely.specs.push_back({*dynamic, "", "", {}, {}, ""});
  return likely;
}

// Afterwards *loaded tells which providers it was asked for.
Result<std::unique_ptr<PluginHost>> MakeHost(const OperationSetup& setup, ProcessHostOptions wanted,
                                             const EarlyProcesses& early, Loop& loop, Timings* timings,
                                             std::function<std::vector<ProviderSpec>()>* loaded) {
  if (early.make_host) return early.make_host(*setup.project, wanted);
  if (early.supervisor) wanted.supervisor = early.supervisor;
  wanted.standby = early.standby;
  Result<std::unique_ptr<PackageHost>> host = NewProcessHost(loop, *setup.project, wanted);
  if (!host.ok()) return host.status();
  (*host)->ExpectProviders(LikelyProviders(setup, early), TimeEarly(timings));
  *loaded = [started = host->get()] { return started->loaded_providers(); };
  return std::unique_ptr<PluginHost>(std::move(*host));
}

// The key is derived on a thread of its own; meanwhile the loop runs, and early processes start.
Status CheckKey(Loop& loop, SecretsManager& secrets) {
  WorkerPool waiting(loop, 1);
  return loop.RunUntilDone(waiting.Run([&secrets] { return secrets.Verify(); }));
}

// Chains get their slots in the order in which they began to wait.
std::function<void(bool)> TimeSlots(Timings* timings) {
  auto waiting = std::make_shared<std::deque<Timings::Span>>();
  return [timings, waiting](bool waits) {
    if (waits) {
      waiting->emplace_back(timings, Timings::Activity::kSlot);
    } else {
      waiting->pop_front();
    }
  };
}

}  // namespace

namespace {

// The part of a run in the log and the trace, if there are any.
class WatchedRun {
 public:
  WatchedRun(Session& session, const OperationSetup& setup, const std::string& word, RunOutcome* outcome)
      : trace_(session.trace()), masking_(MakeMasking(setup.config, false)), outcome_(outcome) {
    SetLogMasking(masking_);
    if (!trace_ && !IsLogEnabled(3)) return;
    if (!outcome->timings) outcome->timings = std::make_unique<Timings>();
    if (!outcome->steps) outcome->steps = std::make_unique<StepTimes>();
    begun_ = Timings::Clock::now();
    const std::string stack = setup.shared ? " " + setup.stack().project + "/" + setup.stack().name : "";
    if (trace_) span_ = trace_->Begin(word + stack, "run", 0);
    outcome->timings->set_listener([this](const Timings::Work& work, bool ended) { Hear(work, ended); });
  }

  ~WatchedRun() { StopListening(); }
  WatchedRun(const WatchedRun&) = delete;

  void Finish() {
    StopListening();
    if (!trace_) return;
    for (const TimedStep& step : outcome_->steps->Steps()) trace_->Add(step, begun_, span_);
    trace_->End(span_, masking_->Text(outcome_->result.status.message()));
  }

 private:
  // Work after the run appears only in its timings.
  void StopListening() {
    if (outcome_->timings) outcome_->timings->set_listener(nullptr);
  }
  void Hear(const Timings::Work& work, bool ended) {
    LogWork(work, ended);
    if (!trace_ || !ended) return;
    Timings::Work masked = work;
    masked.about = masking_->Text(work.about);
    masked.failure = masking_->Text(work.failure);
    trace_->Add(masked, span_);
  }

  Trace* const trace_;
  const std::shared_ptr<const Masking> masking_;
  RunOutcome* const outcome_;
  Timings::Clock::time_point begun_;
  size_t span_ = 0;
};

}  // namespace

bool IsShownOnTerminal(const OperationFlags& flags) {
  return IsTerminal(STDOUT_FILENO) && !flags.json && flags.output == "default";
}

Status PrintTimings(Session& session, const OperationFlags& flags, const RunOutcome& outcome, bool preview) {
  if (flags.timings.empty() || !outcome.timings) return Status::Ok();
  const std::string title = "Timings of the " + std::string(preview ? "preview" : OperationWord(flags.kind));
  const std::vector<TimedStep> steps = outcome.steps->Steps();
  const std::string table = "\n" + outcome.timings->Table(title) + StepTimesText(steps);
  if (flags.for_programs()) {
    Output(STDERR_FILENO).Write(table);
  } else {
    session.Say(table);
  }
  if (flags.timings == kTimingsAsText) return Status::Ok();
  return WriteTimingsFile(flags.timings, title, steps).Wrap("could not write the timings");
}

DisplayOptions DisplayOf(const Session& session, const OperationFlags& flags, const OperationSetup& setup,
                         bool preview) {
  DisplayOptions options;
  options.kind = flags.kind;
  options.preview = preview;
  options.project = setup.stack().project;
  options.stack = setup.stack().name;
  options.show = flags.show;
  options.show.debug = flags.debug;
  options.color = session.color();
  options.fd = STDOUT_FILENO;
  options.masking = setup.masking;
  return options;
}

namespace {

// Closes the host, too.
OperationResult RunUnderSignals(const OperationFlags& flags, const SharedRun* shared, Loop& loop,
                                const std::shared_ptr<Cancellation>& cancellation, Operation operation) {
  if (shared) {
    const std::shared_ptr<void> told = shared->signal_scope(cancellation);
    return loop.RunUntilDone(RunOperation(loop, std::move(operation)));
  }
  // Where output goes elsewhere, standard error may be all that the person in front of the terminal sees.
  const OperationSignals signals(*cancellation, IsShownOnTerminal(flags));
  return loop.RunUntilDone(RunOperation(loop, std::move(operation)));
}

}  // namespace

RunOutcome RunOnce(Session& session, const OperationFlags& flags, const OperationSetup& setup, EarlyProcesses early,
                   bool preview, Loop& loop, Recorder* recorder, EventSink* details) {
  RunOutcome outcome;
  if (!flags.timings.empty()) {
    outcome.timings = std::make_unique<Timings>();
    outcome.steps = std::make_unique<StepTimes>();
  }
  WatchedRun watched(session, setup, preview ? "preview" : OperationWord(flags.kind), &outcome);
  Timings* timings = outcome.timings.get();
  std::function<std::vector<ProviderSpec>()> loaded = [] { return std::vector<ProviderSpec>(); };
  auto made = MakeHost(setup, HostOptionsOf(session, flags, setup), early, loop, timings, &loaded);
  if (!made.ok()) {
    outcome.result.status = made.status();
    return outcome;
  }
  early = EarlyProcesses();  // the host has them now
  std::unique_ptr<PluginHost> host = std::move(*made);
  if (timings) host = TimeHost(std::move(host), timings);
  if (const Status right = setup.key_is_unchecked ? CheckKey(loop, *setup.secrets) : Status::Ok(); !right.ok()) {
    loop.RunUntilDone(host->Close());
    outcome.result.status = right;
    return outcome;
  }

  const auto cancellation = std::make_shared<Cancellation>(loop);
  SinkQueue display(MakeDisplay(session, flags, setup, preview, cancellation), kRedrawInterval);
  const std::unique_ptr<SinkQueue> log = MakeEventLog(session, flags, setup);
  OutcomeWatch watch(preview ? "preview" : OperationWord(flags.kind), preview);
  FanOut sinks;
  sinks.Add(&watch);
  sinks.Add(&outcome.reasons);
  if (outcome.steps) sinks.Add(outcome.steps.get());
  LoggedEvents logged;
  if (IsLogEnabled(0)) sinks.Add(&logged);
  if (log) sinks.Add(log.get());
  sinks.Add(&display);
  if (details) sinks.Add(details);

  OtherStacks others(loop, setup.context, setup.project->name);
  Operation operation = MakeOperation(setup, preview);
  operation.load_stack = [&others](std::string stack, StackPart part) { return others.Load(std::move(stack), part); };
  if (setup.shared && setup.shared->references) operation.load_stack = setup.shared->references(loop, others);
  operation.host = host.get();
  operation.events = &sinks;
  TimedRecorder timed(recorder, timings);
  operation.recorder = recorder && timings ? &timed : recorder;
  const engine::SlotWaitObserver slots(timings ? TimeSlots(timings) : nullptr);
  operation.cancellation = cancellation.get();
  outcome.result = RunUnderSignals(flags, setup.shared, loop, cancellation, std::move(operation));
  watched.Finish();
  outcome.providers = loaded();
  outcome.first_error = setup.masking->Text(watch.first_error());
  outcome.resource_failed = watch.resource_failed();
  outcome.terminated = cancellation->terminated();
  display.Finish(kDisplayLimit);
  if (log && !log->Finish(kLogLimit)) session.Warn("the reader of the event log is too slow; the log is incomplete");
  return outcome;
}

}  // namespace kingpost
