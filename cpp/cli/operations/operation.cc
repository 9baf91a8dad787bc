// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/operation.h"

#include <unistd.h>

#include <future>
#include <optional>
#include <thread>

#include "base/command_name.h"
#include "base/os.h"
#include "base/percent.h"
#include "cli/metadata/update_metadata.h"
#include "cli/operations/import_code.h"
#include "cli/operations/import_listing.h"
#include "cli/operations/missing_packages.h"
#include "cli/operations/operation_run.h"
#include "cli/operations/pending_creates.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "cli/session/stack_lifecycle.h"
#include "cli/session/user_files.h"
#include "console/display/labels.h"
#include "console/display/outcome_notes.h"
#include "console/display/output.h"
#include "console/display/sink_queue.h"
#include "console/prompt/ask.h"
#include "kingpost/create_outcome.h"
#include "kingpost/operation_word.h"
#include "model/version_range.h"
#include "operation/driver.h"
#include "operation/kept_reasons.h"
#include "runtimes/standby_program.h"

namespace kingpost {

namespace {

// The last message, and the exit status.
Status Conclude(const OperationFlags& flags, const Masking& masking, const RunOutcome& outcome, bool preview) {
  const Status& status = outcome.result.status;
  const std::string word = OperationWord(flags.kind);
  if (outcome.terminated) return Fail(ExitCode::kCancelled, word + " stopped; operations in flight are pending");
  if (status.code() == Code::kCancelled) return Fail(ExitCode::kFailed, (preview ? "preview" : word) + " canceled");
  if (status.detail<AwaitFailed>()) return Fail(ExitCode::kAwaiting, "", Code::kUnavailable);
  if (!status.ok()) {
    // The display has told it all; the error line is for those who read standard error by itself.
    const bool told = status.bail() && IsShownOnTerminal(flags) && IsTerminal(STDERR_FILENO);
    const std::string message = told ? "" : status.bail() ? outcome.first_error : masking.Text(status.message());
    return Fail(ExitCode::kFailed, message, Code::kUnknown);
  }
  if (flags.expect_no_changes && outcome.result.has_changes) {
    return Fail(ExitCode::kHasChanges,
                std::string("no changes were expected but changes ") + (preview ? "were proposed" : "occurred"));
  }
  return Status::Ok();
}

Status SavePlan(Session& session, const OperationFlags& flags, const OperationResult& result) {
  if (flags.save_plan_file.empty() || !result.status.ok()) return Status::Ok();
  if (const Status written = WritePrivateOutput(flags.save_plan_file, result.plan_json); !written.ok()) return written;
  if (flags.output == "default" && !flags.json) {
    session.Say("Update plan written to '" + flags.save_plan_file + "'\nRun " +
                QuotedCommand("up --plan='" + flags.save_plan_file + "'") +
                " to constrain the update to the operations planned by this preview\n");
  }
  return Status::Ok();
}

Status SaveImportListing(Session& session, const OperationFlags& flags, const OperationSetup& setup,
                         const ImportListing& listing) {
  for (const std::string& omission : listing.omissions()) session.Warn(omission);
  const Result<std::string> document = listing.Document(setup.encoding());
  if (!document.ok()) return document.status();
  return WritePrivateOutput(flags.import_listing_file, *document);
}

Status CheckConfirmable(const Session& session, const OperationFlags& flags) {
  if (flags.is_preview_command || flags.preview_only || flags.yes || flags.skip_preview) return Status::Ok();
  if (session.interactive() || IsTrueVariable("PULUMI_SKIP_CONFIRMATIONS")) return Status::Ok();
  return Fail(ExitCode::kUsage, flags.kind == OperationKind::kUpdate
                                    ? "--yes or --skip-preview must be passed in to proceed when running in "
                                      "non-interactive mode"
                                    : "--yes or --skip-preview or --preview-only must be passed in to proceed when "
                                      "running in non-interactive mode");
}

enum class Answer { kYes, kNo };

// yes, no, or details as often as wanted. To leave the menu is no.
Answer AskToProceed(Session& session, const OperationFlags& flags, const PreviewDetails& details) {
  std::string question = "Do you want to perform this " + OperationWord(flags.kind) + "?";
  if (flags.kind == OperationKind::kRefresh) {
    question += "\nNo resources will be modified as part of this refresh; just your stack's state will be.";
  }
  const std::vector<MenuItem> items = {{"yes", ""}, {"no", ""}, {"details", "every change, property by property"}};
  while (true) {
    const std::optional<size_t> chosen = Choose(session.painter(), question, items, 1);
    if (!chosen || *chosen == 1) return Answer::kNo;
    if (*chosen == 0) return Answer::kYes;
    ShowInPager(session.painter(), details.Text());
  }
}

// For 'kingpost why'. A preview changes nothing, so a store that cannot be written is no reason to complain.
void KeepPreview(const OperationSetup& setup, const RunOutcome& outcome) {
  (void)KeepReasons(setup, outcome.result, outcome.reasons, true);
}

// Pulumi does so with its service unless told not to, and with folders and buckets only when told to: by the flag
// alone, too, which says the opposite.
void TellPermalink(Session& session, const OperationFlags& flags, const OperationSetup& setup) {
  if (flags.suppress_permalink == "true" || flags.for_programs()) return;
  const Result<StateStore*> store = session.store();
  const Result<StackDocument> document = store.ok() ? (*store)->Load(setup.stack()) : store.status();
  if (!document.ok() || !document->exists) return;  // `destroy --remove`
  if (!document->location.starts_with('/')) {
    session.Warn("there is no link to the state: it is not kept in files");
    return;
  }
  session.Print(session.painter().Bold("Permalink: ") + "file://" + PercentEncodePath(document->location) + "\n");
}

Status RunPreviewOnly(Session& session, const OperationFlags& flags, const OperationSetup& setup,
                      EarlyProcesses early) {
  Loop loop;
  ImportListing listing;
  const bool list = !flags.import_listing_file.empty();
  const RunOutcome outcome =
      RunOnce(session, flags, setup, std::move(early), true, loop, nullptr, list ? &listing : nullptr);
  KeepPreview(setup, outcome);
  const Status timed = PrintTimings(session, flags, outcome, true);
  const Status concluded = Conclude(flags, *setup.masking, outcome, true);
  if (!concluded.ok() && ExitCodeOf(concluded) != ExitCode::kHasChanges) return concluded;
  if (!timed.ok()) return timed;
  if (const Status saved = SavePlan(session, flags, outcome.result); !saved.ok()) return saved;
  if (list) {
    if (const Status saved = SaveImportListing(session, flags, setup, listing); !saved.ok()) return saved;
  }
  if (flags.kind == OperationKind::kImport) {
    const Snapshot& predicted_snapshot =
        outcome.result.predicted_snapshot ? *outcome.result.predicted_snapshot : *setup.base;
    if (const Status told = PrintImportedCode(session, flags, setup, predicted_snapshot); !told.ok()) return told;
  }
  TellPermalink(session, flags, setup);
  return concluded;
}

// The update's interpreter: another fork of that of the preview; or one that begins when the preview's program runs.
// Then the preview's own start is over, and on a machine with more than one processor the two are ready sooner.
class UpdateInterpreter final : public EventSink {
 public:
  UpdateInterpreter(Session& session, const OperationFlags& flags, const EarlyProcesses& of_preview)
      : session_(session), flags_(flags), supervisor_(of_preview.supervisor), forks_(of_preview.ForkAgain()) {}

  void Emit(const EngineEvent& event) override {
    const bool has_begun = early_ || Forks();
    if (has_processor_ && !has_begun && std::holds_alternative<ResourcePreEvent>(event)) Begin();
  }
  EarlyProcesses Take() {
    if (!early_ && Forks()) {
      early_.emplace();
      early_->supervisor = supervisor_;
      early_->standby = forks_;
    }
    if (!early_) Begin();
    return std::move(*early_);
  }

 private:
  bool Forks() const { return forks_ && forks_->waits(); }
  void Begin() { early_ = EarlyProcesses::StartForUpdate(session_, flags_, supervisor_); }

  Session& session_;
  const OperationFlags& flags_;
  const std::shared_ptr<ProcessSupervisor> supervisor_;
  const std::shared_ptr<StandbyProgram> forks_;  // the interpreter of the preview; null if it does not fork
  const bool has_processor_ = std::thread::hardware_concurrency() > 1;  // beside the preview's
  std::optional<EarlyProcesses> early_;
};

// Preview, and the question unless --yes. A Bail means that the user said no. *early is for the preview, and afterwards
// what has been begun for the update.
Status PreviewAndAsk(Session& session, const OperationFlags& flags, OperationSetup* setup, EarlyProcesses* early) {
  const bool ask = !flags.yes && !flags.skip_preview && !IsTrueVariable("PULUMI_SKIP_CONFIRMATIONS");
  if (flags.skip_preview) return Status::Ok();
  PreviewDetails details(DisplayOf(session, flags, *setup, true));
  Loop loop;
  setup->options.save_plan = flags.strict;
  UpdateInterpreter next(session, flags, *early);
  FanOut sinks;
  sinks.Add(&details);
  sinks.Add(&next);
  const RunOutcome outcome = RunOnce(session, flags, *setup, std::exchange(*early, {}), true, loop, nullptr, &sinks);
  setup->options.save_plan = false;
  KeepPreview(*setup, outcome);
  const Status timed = PrintTimings(session, flags, outcome, true);
  OperationFlags without_expectation = flags;
  without_expectation.expect_no_changes = false;
  const Status concluded = Conclude(without_expectation, *setup->masking, outcome, true);
  if (!concluded.ok()) return concluded;
  if (!timed.ok()) return timed;  // while nothing is done yet
  *early = next.Take();
  early->providers = outcome.providers;
  TellPermalink(session, flags, *setup);
  if (flags.strict && setup->options.plan_json.empty()) setup->options.plan_json = outcome.result.plan_json;
  if (!ask || AskToProceed(session, flags, details) == Answer::kYes) return Status::Ok();
  session.Say("confirmation declined, not proceeding with the " + OperationWord(flags.kind) + "\n");
  return Fail(ExitCode::kFailed, "", Code::kBail);
}

MetadataRequest MetadataOf(const OperationFlags& flags, const OperationSetup& setup) {
  MetadataRequest request;
  request.message = flags.message;
  request.project = *setup.project;
  request.exec_kind = flags.exec_kind;
  request.exec_agent = flags.exec_agent;
  request.has_plan = !flags.plan_file.empty();
  request.flags = flags.given;
  if (setup.shared) request.git = setup.shared->git;
  return request;
}

// What it began with, if nothing changed.
const Snapshot& StateAfter(const OperationSetup& setup, const RunOutcome& outcome) {
  return outcome.result.snapshot ? *outcome.result.snapshot : *setup.base;
}

void SayWhatIsLeft(Session& session, const OperationFlags& flags, const OperationSetup& setup,
                   const RunOutcome& outcome) {
  if (flags.kind != OperationKind::kDestroy || flags.for_programs() || RemovesStack(flags, setup, outcome)) return;
  const Snapshot& left = StateAfter(setup, outcome);
  session.Say(DestroyNote(left, setup.stack().name, {flags.exclude_protected, outcome.result.has_changes}));
}

HistoryFacts FactsOf(UpdateMetadata metadata, const ConfigMap& raw_config) {
  return {std::move(metadata.message), std::move(metadata.environment), raw_config};
}

Status RunAndTell(Session& session, const OperationFlags& flags, OperationSetup* setup, EarlyProcesses early) {
  const JournaledOutcome real = RunJournaledOnce(session, flags, setup, std::move(early));
  const RunOutcome& outcome = real.run;
  const Status timed = PrintTimings(session, flags, outcome, false);
  if (!real.recorded.ok()) return real.recorded;
  const Status concluded = Conclude(flags, *setup->masking, outcome, false);
  if (flags.kind == OperationKind::kImport) {
    const Snapshot& after = StateAfter(*setup, outcome);
    const Status told = PrintImportedCode(session, flags, *setup, after);
    if (concluded.ok() && !told.ok()) return told;
  }
  if (!concluded.ok()) return concluded;
  SayWhatIsLeft(session, flags, *setup, outcome);
  TellPendingCreates(session, flags, StateAfter(*setup, outcome));
  TellPermalink(session, flags, *setup);
  if (!real.released.ok()) return real.released;
  if (!timed.ok()) return timed;
  return RemovesStack(flags, *setup, outcome) ? RemoveStack(session, setup->stack(), {}) : Status::Ok();
}

}  // namespace

bool RemovesStack(const OperationFlags& flags, const OperationSetup& setup, const RunOutcome& outcome) {
  const Snapshot& left = StateAfter(setup, outcome);
  return flags.remove_stack && flags.targets.empty() && !(flags.exclude_protected && !left.resources.empty());
}

Status RequireOwnVersion(Session& session) {
  if (!session.has_project()) return Status::Ok();
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  const Status fits = RequirePulumiVersion((*project)->required_pulumi_version);
  return fits.ok() ? fits : Fail(ExitCode::kFailed, fits.message());
}

JournaledOutcome RunJournaledOnce(Session& session, const OperationFlags& flags, OperationSetup* setup,
                                  EarlyProcesses early, EventSink* details) {
  // Around the operation: its record is always finished.
  const OperationCaller::Scope saving = session.caller().Saving(OperationCaller::AfterSignal::kGoOn);
  Loop loop;
  JournaledOutcome outcome;
  std::future<UpdateMetadata> metadata;
  std::optional<Timings::Span> spent;
  JournaledRun real;
  real.run = [&](Recorder* recorder) -> const OperationResult& {
    // Beside the operation: git and the interpreter are asked.
    metadata = std::async(std::launch::async, GatherMetadata, MetadataOf(flags, *setup));
    outcome.run = RunOnce(session, flags, *setup, std::move(early), false, loop, recorder, details);
    spent.emplace(outcome.run.timings.get(), Timings::Activity::kSaving);
    return outcome.run.result;
  };
  real.facts = [&] { return FactsOf(metadata.get(), setup->raw_config); };
  real.reasons = &outcome.run.reasons;
  RunEndStatus ending = RunJournaled(loop, setup, real);
  outcome.recorded = std::move(ending.recorded);
  outcome.released = std::move(ending.released);
  return outcome;
}

Status PreviewQuietly(Session& session, const OperationFlags& flags, EventSink* steps) {
  if (const Status fits = RequireOwnVersion(session); !fits.ok()) return fits;
  EarlyProcesses early = EarlyProcesses::Start(session, flags);
  Result<OperationSetup> setup = SetUpOperation(session, flags);
  if (!setup.ok()) return setup.status();
  Loop loop;
  OperationFlags quiet = flags;
  quiet.output = kOutputToStandardError;
  const RunOutcome outcome = RunOnce(session, quiet, *setup, std::move(early), true, loop, nullptr, steps);
  return Conclude(flags, *setup->masking, outcome, true);
}

Status RunOperationCommand(Session& session, const OperationFlags& flags, EarlyProcesses* begun) {
  if (const Status fits = RequireOwnVersion(session); !fits.ok()) return fits;
  if (const Status checked = CheckOperationFlags(flags); !checked.ok()) return checked;
  if (const Status confirmable = CheckConfirmable(session, flags); !confirmable.ok()) return confirmable;
  const bool runs_program = flags.kind == OperationKind::kUpdate || flags.run_program;
  if (runs_program && flags.client.empty()) {
    if (const Status offered = OfferToInstall(session); !offered.ok()) return offered;
  }
  EarlyProcesses early = begun ? std::move(*begun) : EarlyProcesses::Start(session, flags);
  const KeyCheck key_check = flags.skip_preview ? KeyCheck::kNow : KeyCheck::kInRun;  // before anything is recorded
  Result<OperationSetup> setup = SetUpOperation(session, flags, nullptr, key_check);
  if (!setup.ok()) return setup.status();
  AskAboutPendingCreates(session, flags, *setup->base, &setup->options);
  if (flags.is_preview_command || flags.preview_only) {
    return RunPreviewOnly(session, flags, *setup, std::move(early));
  }

  if (const Status confirmed = PreviewAndAsk(session, flags, &*setup, &early); !confirmed.ok()) {
    return confirmed;
  }
  return RunAndTell(session, flags, &*setup, std::move(early));
}

}  // namespace kingpost
