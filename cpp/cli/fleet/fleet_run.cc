// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/fleet_run.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <set>
#include <thread>

#include "base/clock.h"
#include "base/command_name.h"
#include "base/os.h"
#include "cli/fleet/fleet_signals.h"
#include "cli/fleet/remote_member.h"
#include "cli/operations/operation.h"
#include "cli/session/exit_code.h"
#include "cli/session/stack_access.h"
#include "cli/session/user_files.h"
#include "kingpost/stack_locked.h"
#include "operation/fleet/member_reads.h"
#include "operation/fleet/pass_rules.h"
#include "operation/fleet/planned_stack.h"
#include "operation/kept_reasons.h"
#include "workspace/stack_config.h"

namespace kingpost {

namespace {

using fleet::Board;
using fleet::MemberEnd;
using MemberState = fleet::Schedule::State;

constexpr std::chrono::milliseconds kLockLook{500};  // between looks at whether a stack is free

// Nothing ends the process while a fleet runs but a signal that insists, so that no scope has to be kept here.
class MemberCaller : public OperationCaller {
 public:
  explicit MemberCaller(std::function<void(const std::string& text)> say) : say_(std::move(say)) {}
  void Note(const std::string& text) override { say_(text + "\n"); }
  void Warn(const std::string& text) override { say_("warning: " + text + "\n"); }
  Scope Saving(AfterSignal) override { return nullptr; }
  Scope Holding(std::function<void()>) override { return nullptr; }

 private:
  const std::function<void(const std::string& text)> say_;
};

std::chrono::milliseconds InMs(Board::Clock::duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

FleetPhase PhaseOf(MemberState state) {
  switch (state) {
    case MemberState::kRunning:
      return FleetPhase::kRunning;
    case MemberState::kWaiting:
      return FleetPhase::kWaiting;
    default:
      return FleetPhase::kPending;
  }
}

MemberState StateOf(FleetPhase phase) {
  const bool well = phase == FleetPhase::kUpdated || phase == FleetPhase::kUnchanged;
  return well ? MemberState::kDone : phase == FleetPhase::kFailed ? MemberState::kFailed : MemberState::kSkipped;
}

// With --remove every member has to run, because its stack goes.
fleet::PassRules RulesOf(const FleetPass& pass, const OperationFlags& operation) {
  if (!pass.before) return fleet::PassRules();
  std::vector<fleet::PreviewResult> previewed;
  for (const MemberResult& one : *pass.before) {
    const bool unchanged = one.outcome.phase == FleetPhase::kUnchanged && !one.changes;
    previewed.push_back({StateOf(one.outcome.phase), !unchanged || operation.remove_stack, one.reads});
  }
  return fleet::PassRules(std::move(previewed));
}

std::vector<fleet::BoardMember> OnBoard(const Fleet& fleet, const fleet::PassRules& rules, OperationKind kind) {
  std::vector<fleet::BoardMember> members = fleet.BoardMembers();
  std::vector<fleet::Schedule::Member> scheduled;
  for (const fleet::BoardMember& member : members) scheduled.push_back(member.scheduled);
  scheduled = rules.InOrder(std::move(scheduled), kind == OperationKind::kDestroy);
  for (size_t i = 0; i < members.size(); ++i) members[i].scheduled = std::move(scheduled[i]);
  return members;
}

class FleetPassRun {
 public:
  FleetPassRun(Session& session, const Fleet& fleet, const OperationFlags& operation, const FleetFlags& flags,
               const FleetShared& shared, const FleetPass& pass)
      : session_(session),
        fleet_(fleet),
        operation_(operation),
        flags_(flags),
        shared_(shared),
        pass_(pass),
        results_(fleet.members.size()),
        rules_(RulesOf(pass, operation)),
        screen_(NewFleetScreen(ShowOf())),
        board_(OnBoard(fleet, rules_, operation.kind), Slots(), [this](size_t member) { Tell(member); }),
        signals_([this](int number) { Interrupt(number); }, screen_is_live_) {}

  std::vector<MemberResult> Run() {
    fleet::RunMembers(board_, [this](size_t member) { return RunMember(member); });
    for (size_t member = 0; member < results_.size(); ++member) Conclude(member);
    if (!pass_.reports || pass_.reports(results_)) screen_->Finish();
    return std::move(results_);
  }

 private:
  FleetScreenOptions ShowOf() {
    FleetScreenOptions show;
    show.kind = operation_.kind;
    show.preview = pass_.preview;
    show.show = operation_.show;
    show.show.debug = operation_.debug;
    show.format = pass_.format;
    show.color = session_.color();
    show.live = IsTerminal(STDOUT_FILENO) && !session_.globals().non_interactive && !show.show.suppress_progress;
    show.fd = STDOUT_FILENO;
    screen_is_live_ = show.live && show.format == FleetFormat::kText;
    show.interruptions = [this]() -> int { return interruptions_; };
    for (const FleetMember& member : fleet_.members) {
      FleetScreenOptions::Stack stack{member.name, member.project.name, member.stack.name, member.label, {}, {}};
      for (const size_t read : member.references) stack.reads.push_back(fleet_.members[read].name);
      show.stacks.push_back(std::move(stack));
    }
    const std::vector<fleet::BoardMember> on_board = OnBoard(fleet_, rules_, operation_.kind);
    for (size_t i = 0; i < on_board.size(); ++i) {
      std::vector<size_t>& first = show.stacks[i].comes_after;
      first = on_board[i].scheduled.references;
      first.insert(first.end(), on_board[i].scheduled.after.begin(), on_board[i].scheduled.after.end());
    }
    return show;
  }

  void Interrupt(int number) {
    interruptions_ = number;
    board_.Stop();
    if (IsElsewhere()) shared_.cluster->Interrupt(number);
  }

  // Previews are made in this process, because others read what they plan.
  bool IsElsewhere() const { return shared_.cluster && !pass_.preview; }

  int Slots() const {
    if (flags_.parallel_stacks > 0) return flags_.parallel_stacks;
    if (IsElsewhere()) return shared_.cluster->slots();
    return static_cast<int>(std::max(4U, std::thread::hardware_concurrency()));
  }

  void Tell(size_t member) {
    const Board::View view = board_.ViewOf(member);
    if (view.state != MemberState::kRunning && view.state != MemberState::kWaiting &&
        view.state != MemberState::kPending)
      return;
    std::vector<std::string> names;
    for (const size_t other : view.waits_for) names.push_back(board_.name(other));
    screen_->Changed(member, PhaseOf(view.state), std::move(names));
  }

  // Reports a member that did not run: it was skipped, or the fleet was stopped before its turn.
  void Conclude(size_t member) {
    MemberResult& result = results_[member];
    result.times = board_.TimesOf(member);
    result.reads = result.times.reads;
    if (told_.contains(member)) return;
    // The preview's outcome tells the user more than the name of the failed stack that this one reads.
    if (rules_.EndedInPreview(member)) {
      const MemberResult& before = (*pass_.before)[member];
      result.outcome = before.outcome;
      result.awaits = before.awaits;
      screen_->Ended(member, result.outcome);
      return;
    }
    const Board::View view = board_.ViewOf(member);
    result.outcome.phase = view.because ? FleetPhase::kSkipped : FleetPhase::kStopped;
    if (view.because) result.outcome.why = board_.WhyUnread(*view.because);
    HeedFirstFailure(member, &result);
    screen_->Ended(member, result.outcome);
  }

  // With --fail-fast the first failure stops the fleet, and is the reason why others did not run. A stack that waits
  // for something has not failed.
  void HeedFirstFailure(size_t member, MemberResult* result) {
    if (!flags_.fail_fast) return;
    size_t first = kNone;
    const bool failed = result->outcome.phase == FleetPhase::kFailed && !result->awaits;
    if (failed && first_failure_.compare_exchange_strong(first, member)) {
      board_.Stop();
    } else if (result->outcome.phase == FleetPhase::kStopped && interruptions_ == 0 && first_failure_ != kNone) {
      kingpost::EndAs(FleetPhase::kSkipped, "--fail-fast: " + board_.name(first_failure_) + " failed", result);
    }
  }

  MemberEnd RunMember(size_t member) {
    MemberResult result;
    const std::string began = NowRfc3339();
    MemberEnd end = Work(member, &result);
    HeedFirstFailure(member, &result);
    const Board::Times times = board_.TimesOf(member);
    result.outcome.waited = InMs(times.waited);
    if (rules_.ActionOf(member, false) != fleet::MemberAction::kUnaffected) {
      result.outcome.took = InMs(Board::Clock::now() - times.begun - times.waited);
      result.outcome.began = began;
      result.outcome.ended = NowRfc3339();
    }
    screen_->Ended(member, result.outcome);
    const std::lock_guard<std::mutex> lock(mutex_);
    results_[member] = std::move(result);
    told_.insert(member);
    return end;
  }

  static MemberEnd EndAs(FleetPhase phase, std::string why, MemberResult* result) {
    kingpost::EndAs(phase, std::move(why), result);
    return EndOf(*result);
  }

  static MemberEnd EndOf(const MemberResult& result) { return {StateOf(result.outcome.phase), nullptr}; }

  MemberEnd Work(size_t member, MemberResult* result) {
    switch (rules_.ActionOf(member, board_.stopped())) {
      case fleet::MemberAction::kAsPreviewed:
        *result = (*pass_.before)[member];
        return EndOf(*result);
      case fleet::MemberAction::kUnaffected:
        result->outcome.changes = (*pass_.before)[member].outcome.changes;
        return EndAs(FleetPhase::kUnchanged, "", result);
      case fleet::MemberAction::kStopped:
        return EndAs(FleetPhase::kStopped, "", result);
      case fleet::MemberAction::kRun:
        break;
    }
    OperationFlags flags = FlagsFor(member);
    const bool untargeted = flags.targets.empty() && flags.target_replaces.empty() && flags.replaces.empty();
    const bool some =
        !operation_.targets.empty() || !operation_.target_replaces.empty() || !operation_.replaces.empty();
    if (untargeted && some) return EndAs(FleetPhase::kUnchanged, "", result);

    Session session(Globals(), SurroundingsOf(member));
    session.set_trace(session_.trace());
    if (const Status fits = RequireOwnVersion(session); !fits.ok())
      return EndAs(FleetPhase::kFailed, fits.message(), result);
    if (const Status set = AddSettingsOfAll(session, member, &flags); !set.ok()) {
      return EndAs(FleetPhase::kFailed, set.message(), result);
    }
    if (IsElsewhere()) return ChangeElsewhere(member, flags, result);
    Result<OperationSetup> setup = SetUp(session, flags);
    if (!setup.ok()) return CouldNotBegin(setup.status(), result);
    const SharedRun run = RunOf(member);
    setup->shared = &run;
    result->secrets = setup->secrets;
    return pass_.preview ? Preview(session, flags, member, &*setup, result)
                         : Change(session, flags, member, &*setup, result);
  }

  GlobalOptions Globals() const {
    GlobalOptions globals = session_.globals();
    globals.non_interactive = true;
    return globals;
  }

  SessionContext SurroundingsOf(size_t member) {
    SessionContext surroundings;
    surroundings.folder = fleet_.members[member].folder;
    surroundings.store = fleet_.members[member].store;
    surroundings.passphrase = shared_.passphrase;
    surroundings.say = [this, member](const std::string& text) { screen_->Say(member, text); };
    surroundings.caller = std::make_shared<MemberCaller>(surroundings.say);
    return surroundings;
  }

  OperationFlags FlagsFor(size_t member) const {
    OperationFlags flags = operation_;
    const FleetMember& one = fleet_.members[member];
    flags.stack = one.stack.name;
    flags.yes = true;
    flags.preview_only = pass_.preview;
    flags.derives_key_lazily = pass_.preview && flags.save_plan_file.empty() && !flags.strict;
    if (!flags.plan_file.empty()) flags.plan_file = PlanFile(flags.plan_file, one);
    if (!flags.save_plan_file.empty()) flags.save_plan_file = PlanFile(flags.save_plan_file, one);
    ChooseTargets(fleet_, member, &flags);
    return flags;
  }

  // `config` of kingpost.yaml goes into the settings of those that have no value of their own: there colleagues and
  // other tools find it, too.
  Status AddSettingsOfAll(Session& session, size_t member, OperationFlags* flags) const {
    if (fleet_.file.config.empty()) return Status::Ok();
    const Result<StackConfig> settings = session.LoadConfig(fleet_.members[member].stack);
    if (!settings.ok()) return settings.status();
    const auto config = fleet::ConfigFor(fleet_.file, *settings);
    if (!config.ok()) return config.status();
    for (const auto& [key, value] : *config) flags->config.push_back(key + "=" + value);
    return Status::Ok();
  }

  // Tries again as long as another process holds the lock, with --when-locked wait.
  Result<OperationSetup> SetUp(Session& session, const OperationFlags& flags) {
    bool told = false;
    while (true) {
      Result<OperationSetup> setup = SetUpOperation(session, flags);
      const bool waits = !setup.ok() && setup.status().detail<StackLocked>() && flags_.when_locked == WhenLocked::kWait;
      if (!waits || board_.stopped()) return setup;
      if (!told) session.Note("another process holds the stack; waiting until it is free");
      told = true;
      std::this_thread::sleep_for(kLockLook);
    }
  }

  MemberEnd CouldNotBegin(const Status& status, MemberResult* result) const {
    const bool locked = status.detail<StackLocked>() != nullptr;
    if (locked && flags_.when_locked == WhenLocked::kSkip) {
      return EndAs(FleetPhase::kSkipped, "another process holds the stack", result);
    }
    if (locked && board_.stopped()) return EndAs(FleetPhase::kStopped, "", result);
    return EndAs(FleetPhase::kFailed, status.message(), result);
  }

  SharedRun RunOf(size_t member) {
    SharedRun run;
    run.supervisor = shared_.supervisor;
    run.git = shared_.git;
    run.forks = shared_.forks;
    run.display = [this, member](const OperationSetup& setup, bool) { return screen_->Display(member, setup.masking); };
    run.signal_scope = [this](const std::shared_ptr<Cancellation>& cancellation) {
      return signals_.AddCancellation(cancellation);
    };
    // A destroy changes no outputs, and goes the other way round: it reads as a single one does.
    if (operation_.kind == OperationKind::kDestroy) return run;
    run.references = [this, member](Loop& loop, OtherStacks& others) -> SharedRun::References {
      const auto reads =
          std::make_shared<fleet::MemberReads>(loop, others, board_, member, fleet_.members[member].project.name);
      return [reads](std::string stack, StackPart part) { return reads->Load(std::move(stack), part); };
    };
    return run;
  }

  std::optional<UnansweredRead> UnansweredReadOf(size_t member) const {
    const std::optional<fleet::FailedRead> failed = board_.FailedReadOf(member);
    if (!failed) return std::nullopt;
    return UnansweredRead{failed->stopped ? "" : board_.WhyUnread(failed->target)};
  }

  MemberEnd Preview(Session& session, const OperationFlags& flags, size_t member, OperationSetup* setup,
                    MemberResult* result) {
    fleet::PlannedStack planned(setup->base);
    PreviewDetails details(DisplayOf(session, flags, *setup, true));
    ChangeCounter counts;
    FanOut sinks;
    sinks.Add(&planned);
    sinks.Add(&counts);
    if (pass_.want_details) sinks.Add(&details);
    setup->options.save_plan = flags.strict || !flags.save_plan_file.empty();
    Loop loop;
    EarlyProcesses early = EarlyProcesses::Fork(flags, shared_.forks.get(), *setup->project);
    const RunOutcome outcome = RunOnce(session, flags, *setup, std::move(early), true, loop, nullptr, &sinks);
    (void)KeepReasons(*setup, outcome.result, outcome.reasons, true);
    result->outcome.changes = counts.changes;
    if (!outcome.result.status.ok()) {
      EndAsFailed(outcome, *setup->masking, false, UnansweredReadOf(member), result);
      return EndOf(*result);
    }
    result->has_changes = outcome.result.has_changes;
    result->changes = planned.changes() || result->has_changes || setup->interrupted;
    const bool shows = result->has_changes || planned.outputs_change();
    result->plan_json = outcome.result.plan_json;
    if (pass_.want_details && result->changes) result->details = details.Text();
    if (pass_.want_details) result->recorded_at = setup->base->manifest.time;
    if (!flags.save_plan_file.empty()) {
      const Status written = WritePrivateOutput(flags.save_plan_file, result->plan_json);
      if (!written.ok()) return EndAs(FleetPhase::kFailed, written.message(), result);
    }
    MemberEnd end = EndAs(shows ? FleetPhase::kUpdated : FleetPhase::kUnchanged, "", result);
    end.planned = planned.Planned();
    return end;
  }

  MemberEnd Change(Session& session, const OperationFlags& flags, size_t member, OperationSetup* setup,
                   MemberResult* result) {
    const std::string recorded_at = pass_.before ? (*pass_.before)[member].recorded_at : "";
    if (!recorded_at.empty() && recorded_at != setup->base->manifest.time) {
      return EndAs(FleetPhase::kFailed,
                   "another process changed the stack after its preview; nothing was done, run the command again",
                   result);
    }
    if (flags.strict && pass_.before && setup->options.plan_json.empty()) {
      setup->options.plan_json = (*pass_.before)[member].plan_json;
    }
    ChangeMember(
        session, flags, setup, [this, member] { return UnansweredReadOf(member); }, result);
    return EndOf(*result);
  }

  // The worker reads the settings, and holds the stack.
  MemberEnd ChangeElsewhere(size_t member, const OperationFlags& flags, MemberResult* result) {
    RemoteMember remote{*shared_.cluster, board_, *screen_, fleet_, member, flags, flags_.when_locked, "", ""};
    if (!flags.plan_file.empty()) {
      Result<std::string> plan = ReadWholeFile(flags.plan_file);
      if (!plan.ok()) return EndAs(FleetPhase::kFailed, plan.status().message(), result);
      remote.plan = *std::move(plan);
    }
    if (pass_.before) {
      const MemberResult& before = (*pass_.before)[member];
      remote.recorded_at = before.recorded_at;
      if (flags.strict && remote.plan.empty()) remote.plan = before.plan_json;
    }
    RunRemotely(remote, result);
    return EndOf(*result);
  }

  Session& session_;
  const Fleet& fleet_;
  const OperationFlags& operation_;
  const FleetFlags& flags_;
  const FleetShared& shared_;
  const FleetPass& pass_;
  std::vector<MemberResult> results_;
  const fleet::PassRules rules_;
  std::mutex mutex_;
  std::set<size_t> told_;
  bool screen_is_live_ = false;
  std::atomic<int> interruptions_{0};
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();
  std::atomic<size_t> first_failure_{kNone};
  const std::unique_ptr<FleetScreen> screen_;
  Board board_;
  FleetSignals signals_;
};

}  // namespace

std::vector<MemberResult> RunPass(Session& session, const Fleet& fleet, const OperationFlags& operation,
                                  const FleetFlags& flags, const FleetShared& shared, const FleetPass& pass) {
  return FleetPassRun(session, fleet, operation, flags, shared, pass).Run();
}

}  // namespace kingpost
