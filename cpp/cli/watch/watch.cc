// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/watch.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/file_stamp.h"
#include "base/os.h"
#include "cli/operations/operation.h"
#include "cli/operations/operation_run.h"
#include "cli/operations/operation_setup.h"
#include "cli/session/exit_code.h"
#include "cli/session/signals.h"
#include "cli/session/user_files.h"
#include "cli/watch/plan_view.h"
#include "cli/watch/warm_plugins.h"
#include "cli/watch/watch_events.h"
#include "cli/watch/watch_roots.h"
#include "cli/watch/watch_screen.h"
#include "console/display/labels.h"
#include "console/display/text_width.h"
#include "console/prompt/ask.h"
#include "operation/kept_reasons.h"
#include "processes/private_folder.h"

namespace kingpost {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kNow{0};
constexpr std::chrono::milliseconds kLook{1000};  // at the state, where that is a file
constexpr std::chrono::seconds kLookAfar{15};     // at one that is not
constexpr int kOwnChangesMax = 5;                 // runs in a row that each began because the one before wrote a file
constexpr std::chrono::milliseconds kAfterOwn{5000};  // then the next one waits
constexpr std::chrono::milliseconds kLong{3000};      // a preview may be given up from then on
constexpr int kGivenUpMax = 3;                        // in a row

std::string TimeOfDay() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[16];
  std::strftime(text, sizeof text, "%H:%M:%S", &local);
  return text;
}

std::string InSeconds(Clock::duration duration) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s", std::chrono::duration<double>(duration).count());
  return text;
}

// "__main__.py", "__main__.py and 3 others".
std::string FileNames(const std::vector<std::string>& files) {
  if (files.empty()) return "";
  std::string text = Printable(std::filesystem::path(files.front()).filename().string());
  if (files.size() > 1) text += " and " + std::to_string(files.size() - 1) + (files.size() == 2 ? " other" : " others");
  return text;
}

class Watch {
 public:
  Watch(const Session& session, const WatchFlags& flags)
      : globals_(session.globals()),
        flags_(flags),
        painter_(session.painter()),
        on_terminal_(session.interactive() && IsTerminal(STDOUT_FILENO) && !flags.operation.for_programs()),
        screen_(painter_, on_terminal_, flags.operation.for_programs()),
        warm_(loop_) {
    flags_.operation.kind = OperationKind::kUpdate;
    flags_.operation.is_preview_command = true;
    shared_.signal_scope = [this](const std::shared_ptr<Cancellation>& cancellation) {
      return Accompany(cancellation);
    };
  }

  Status Run();

 private:
  Status FollowFiles();
  WatchEvents::WatchEvent WaitForNews();
  void Act(const std::string& why, Clock::time_point since);
  std::shared_ptr<void> Accompany(const std::shared_ptr<Cancellation>& cancellation);
  void Preview(const std::string& why, Clock::time_point since);
  Status Update(const std::string& plan);
  void Deploy();
  void ShowPlan(const std::string& title, const std::shared_ptr<const PlanView>& before);
  void ShowProblem(const std::string& why, std::function<std::string(int columns)> problem);
  void ShowError(const std::string& why, const Status& error);
  std::string Title(const std::string& why, Clock::time_point since) const;
  void MarkState();
  bool StateHasChanged();
  void Press(char key);
  Session& Fresh() {
    session_ = std::make_unique<Session>(globals_);
    return *session_;
  }

  const GlobalOptions globals_;
  WatchFlags flags_;
  const Painter painter_;
  const bool on_terminal_;
  WatchScreen screen_;
  Loop loop_;
  WarmPlugins warm_;
  SharedRun shared_;  // what previews do otherwise than the command `preview`
  std::unique_ptr<Session> session_;
  std::unique_ptr<WatchEvents> news_;
  std::string settings_;  // the stack's file, absolute
  std::string name_;      // "project/stack"
  std::vector<std::string> roots_;
  PreloadedStack before_;
  std::shared_ptr<const PlanView> last_;  // the last plan that could be made
  std::string plan_json_;                 // of the plan that is shown, for `u`; "" where it is not the last word
  bool is_comparable_ = true;             // the last plan with the next one
  bool below_update_ = false;             // the next plan is shown below the update that has just ended
  std::string state_file_, state_stamp_;
  Clock::time_point looked_afar_ = Clock::now();
  int plans_ = 0;
  bool changed_in_run_ = false;  // files, while the last one ran
  int own_changes_ = 0;          // runs in a row in which they did
  bool given_up_ = false;        // the preview under way, for what was saved meanwhile
  bool done_ = false;
  Status ending_;
};

// ---- what is shown --------------------------------------------------------------------------------------------------

std::string Watch::Title(const std::string& why, Clock::time_point since) const {
  const std::string facts = "plan " + std::to_string(plans_) + " at " + TimeOfDay() + ", in " +
                            InSeconds(Clock::now() - since) + (why.empty() ? "" : ", " + why);
  return painter_.Bold("Watching") + " " + Printable(name_) + " " + painter_.Paint(Style::kDim, "(" + facts + ")");
}

// The error, and the last plan below it, which stays in view.
void Watch::ShowProblem(const std::string& why, std::function<std::string(int columns)> problem) {
  const std::string title = painter_.Bold("Watching") + " " + painter_.Paint(Style::kRed, "no plan") + " " +
                            painter_.Paint(Style::kDim, "(at " + TimeOfDay() + (why.empty() ? "" : ", " + why) + ")");
  auto body = [this, problem = std::move(problem)](int columns) {
    std::string text = problem(columns);
    if (!text.ends_with('\n')) text += '\n';
    if (!last_ || !on_terminal_) return text;
    return text + "\n" + painter_.Bold("The last plan") + painter_.Paint(Style::kDim, " (from before)") + "\n\n" +
           last_->Text(columns, flags_.operation.diff);
  };
  screen_.Show({title, std::move(body)});
}

void Watch::ShowError(const std::string& why, const Status& error) {
  ShowProblem(why, [text = "error: " + PrintableError(error.message())](int columns) {
    return columns > 0 ? WrapLines(text, columns, 2) : text;
  });
}

// A plan, and what is new in it since `before`; null where there is nothing to compare it with.
void Watch::ShowPlan(const std::string& title, const std::shared_ptr<const PlanView>& before) {
  const std::string changes = before ? last_->ChangesSince(*before) : "";
  const std::string since =
      painter_.Bold("Since the plan before:") + (changes.empty() ? " nothing new\n" : "\n" + changes);
  auto body = [view = last_, diff = flags_.operation.diff, since = before ? since : ""](int columns) {
    std::string text = view->Text(columns, diff);
    while (!since.empty() && text.ends_with("\n\n")) text.pop_back();
    const std::string news = columns > 0 ? WrapLines(since, columns, 6) : since;
    return news.empty() ? text : text + "\n" + news;
  };
  WatchPage page{title, std::move(body), !plan_json_.empty()};
  if (std::exchange(below_update_, false)) {
    screen_.ShowBelow(std::move(page));
  } else {
    screen_.Show(std::move(page));
  }
}

// ---- what is done ---------------------------------------------------------------------------------------------------

// Signals, and files that change, while a preview runs. A preview that takes long is given up for what was saved
// meanwhile: a program that hangs would have to be stopped by hand. A program that writes the files itself gets to its
// end for all that.
std::shared_ptr<void> Watch::Accompany(const std::shared_ptr<Cancellation>& cancellation) {
  struct Company {
    OperationSignals signals;
    std::shared_ptr<void> files;
  };
  auto interrupt = [cancellation](int number) { number == 1 ? cancellation->Cancel() : cancellation->Terminate(); };
  std::shared_ptr<void> files;
  if (own_changes_ < kGivenUpMax && !flags_.operation.json) {  // a reader of --json expects a document for each plan
    files = news_->Follow(kLong, [this, cancellation] {
      given_up_ = true;
      warm_.LeaveProvidersRunning();
      cancellation->Cancel();
    });
  }
  return std::shared_ptr<Company>(new Company{OperationSignals(std::move(interrupt), true), std::move(files)});
}

void Watch::Preview(const std::string& why, Clock::time_point since) {
  ++plans_;
  plan_json_.clear();
  OperationFlags flags = flags_.operation;
  if (!flags.json) flags.output = kNoOutput;
  Session& session = Fresh();
  screen_.PrintPlanning();
  Status possible = RequireOwnVersion(session);
  const Result<std::string> settings = ReadWholeFile(settings_);
  Result<OperationSetup> setup = possible.ok() ? SetUpOperation(session, flags, &before_) : possible;
  // The salt of a passphrase is written to settings that have none.
  const Result<std::string> settings_now = ReadWholeFile(settings_);
  if (settings_now.ok() && (!settings.ok() || *settings != *settings_now)) news_->MarkKnown(settings_);
  MarkState();
  if (!setup.ok()) return ShowError(why, setup.status());
  setup->options.save_plan = !flags.json && on_terminal_;
  setup->shared = &shared_;
  given_up_ = false;
  auto view = std::make_shared<PlanView>(DisplayOf(session, flags, *setup, true));
  EarlyProcesses early;
  early.make_host = [this](const Project& project, const ProcessHostOptions& wanted) {
    return warm_.MakeHost(project, wanted);
  };
  const RunOutcome outcome = RunOnce(session, flags, *setup, std::move(early), true, loop_, nullptr, view.get());
  changed_in_run_ = news_->HasChanges();
  news_->DropKeys();
  view->Settle();
  const Status& status = outcome.result.status;
  if (outcome.terminated || (status.code() == Code::kCancelled && !given_up_)) {
    done_ = true;
    return;
  }
  if (status.code() == Code::kCancelled) {  // the next one begins at once
    warm_.Prepare(session, flags);
    return;
  }
  if (flags.json) {
    screen_.WriteDocument("\n");
  } else if (!status.ok()) {
    const std::string error = status.bail() ? "" : "error: " + PrintableError(status.message());
    ShowProblem(why, [view, error](int columns) {
      return view->Text(columns, false) + (columns > 0 ? WrapLines(error, columns, 2) : error);
    });
  } else {
    plan_json_ = outcome.result.plan_json;
    const std::shared_ptr<const PlanView> before = std::exchange(last_, view);
    ShowPlan(Title(why, since), std::exchange(is_comparable_, true) ? before : nullptr);
  }
  (void)KeepReasons(*setup, outcome.result, outcome.reasons, true);
  warm_.Prepare(session, flags);
}

// As `up` does it. `plan` is the file of what it is held to; "" for whatever the program says.
Status Watch::Update(const std::string& plan) {
  OperationFlags flags = flags_.operation;
  flags.is_preview_command = false;
  flags.yes = flags.skip_preview = true;
  flags.plan_file = plan;
  Session& session = Fresh();
  EarlyProcesses early = warm_.TakeEarly();
  screen_.Clear();
  Status done = RunOperationCommand(session, flags, early.standby ? &early : nullptr);
  changed_in_run_ = news_->HasChanges();
  news_->DropKeys();
  if (!done.ok() && !done.message().empty()) screen_.Tell("error: " + PrintableError(done.message()) + "\n");
  if (ExitCodeOf(done) == ExitCode::kCancelled || done.message().ends_with("canceled")) {
    done_ = true;
    ending_ = done;
  }
  warm_.Prepare(session, flags_.operation);
  MarkState();
  return done;
}

// Where the update ends well, the plan after it follows below what it has told; else that alone is to be seen.
void Watch::Deploy() {
  const Result<PrivateFolder> folder = PrivateFolder::Create();
  if (!folder.ok()) return ShowError("", folder.status());
  const std::string file = folder->Path("plan.json");
  const Status written = WritePrivateOutput(file, std::exchange(plan_json_, ""));
  if (!written.ok()) return ShowError("", written);
  const Status done = Update(file);
  if (done_) return;
  if (!done.ok()) {
    screen_.Tell(painter_.Paint(Style::kDim, "\nThe next save, or r, plans again; q quits.") + "\n");
    return;
  }
  is_comparable_ = false;
  below_update_ = on_terminal_;
  Preview("after the update", Clock::now());
}

void Watch::Act(const std::string& why, Clock::time_point since) {
  if (!flags_.up) return Preview(why, since);
  if (!why.empty()) screen_.Tell(painter_.Paint(Style::kDim, "Updating at " + TimeOfDay() + ", " + why) + "\n");
  (void)Update("");
}

void Watch::Press(char key) {
  if (key == 'd' && last_) {
    ShowInPager(painter_, last_->Details());
    screen_.PrintKeys();
  } else if (key == 'r') {
    warm_.Forget();
    before_ = PreloadedStack();
    const std::string usual = std::exchange(flags_.operation.refresh, "true");
    Preview("after a refresh", Clock::now());
    flags_.operation.refresh = usual;
  } else if (key == 'u' && !plan_json_.empty()) {
    Deploy();
  }
}

// ---- the world ------------------------------------------------------------------------------------------------------

void Watch::MarkState() {
  if (!state_file_.empty()) state_stamp_ = FileStamp(state_file_);
}

bool Watch::StateHasChanged() {
  if (!state_file_.empty()) return FileStamp(state_file_) != state_stamp_;
  if (!before_.document || Clock::now() - looked_afar_ < kLookAfar) return false;
  looked_afar_ = Clock::now();
  const Result<StateStore*> store = session_->store();
  const Result<StackName> stack = session_->FindStack(flags_.operation.stack);
  if (!store.ok() || !stack.ok()) return false;
  const Result<StackDocument> document = (*store)->Load(*stack);
  return document.ok() && document->bytes != *before_.document;
}

// Where the project has come to refer to other folders, these are watched from now on.
Status Watch::FollowFiles() {
  Session& session = session_ ? *session_ : Fresh();
  const Result<const Project*> project = session.project();
  if (!project.ok()) return roots_.empty() ? project.status() : Status::Ok();  // one that cannot be read just now
  const Result<StackName> stack = session.FindStack(flags_.operation.stack);
  if (!stack.ok()) return roots_.empty() ? stack.status() : Status::Ok();
  name_ = stack->project + "/" + stack->name;
  flags_.operation.stack = session.ShortName(*stack);  // whatever is selected elsewhere meanwhile
  const std::string settings =
      flags_.operation.config_file.empty() ? (*project)->StackConfigFile(stack->name) : flags_.operation.config_file;
  settings_ = std::filesystem::absolute(settings).lexically_normal().string();
  std::vector<std::string> roots = WatchRoots(**project, settings, flags_.paths);
  if (roots == roots_) return Status::Ok();
  Result<std::unique_ptr<WatchedFiles>> files = WatchBelow(roots, (*project)->runtime);
  if (!files.ok()) return files.status();
  roots_ = std::move(roots);
  if (news_) {
    news_->set_files(std::move(*files));
  } else {
    news_ = std::make_unique<WatchEvents>(loop_, std::move(*files), on_terminal_);
    const Result<StateStore*> store = session.store();
    const Result<StackDocument> document = store.ok() ? (*store)->Load(*stack) : store.status();
    if (document.ok() && document->location.starts_with('/')) state_file_ = document->location;
    MarkState();
  }
  return Status::Ok();
}

// Files, a key, or nothing of both: then the state has changed, or the end is wanted. A program that writes its own
// folder each time it runs would be run again and again.
WatchEvents::WatchEvent Watch::WaitForNews() {
  own_changes_ = changed_in_run_ ? own_changes_ + 1 : 0;
  changed_in_run_ = false;
  WatchEvents::WatchEvent news = news_->Wait(kNow);
  if (own_changes_ == kOwnChangesMax) {
    screen_.Tell(FileNames(news.files) +
                 " changes in each run of the program, which starts the next run. Add it to .gitignore; for now the "
                 "next run waits.\n");
  }
  const auto pause_ends = Clock::now() + (own_changes_ >= kOwnChangesMax ? kAfterOwn : kNow);
  while (Clock::now() < pause_ends && news.key == 0 && !news_->interrupted()) {
    WatchEvents::WatchEvent more = news_->Wait(kLook);
    for (std::string& file : more.files) news.files.push_back(std::move(file));
    news.key = more.key;
  }
  std::sort(news.files.begin(), news.files.end());
  news.files.erase(std::unique(news.files.begin(), news.files.end()), news.files.end());
  while (news.files.empty() && news.key == 0 && !news_->interrupted() && !StateHasChanged()) {
    news = news_->Wait(kLook);
    screen_.Fit();
  }
  return news;
}

Status Watch::Run() {
  if (const Status checked = CheckOperationFlags(flags_.operation); !checked.ok()) return checked;
  if (const Status follows = FollowFiles(); !follows.ok()) return follows;
  Act("", Clock::now());
  while (!done_ && !news_->interrupted() && screen_.alive()) {
    if (const Status follows = FollowFiles(); !follows.ok()) return follows;
    const WatchEvents::WatchEvent news = WaitForNews();
    const auto since = Clock::now();
    if (news_->interrupted()) break;
    if (news.key == 'q') {
      done_ = true;
    } else if (!news.files.empty()) {
      Act("after a change of " + FileNames(news.files), since);
    } else if (news.key != 0) {
      Press(news.key);
    } else {
      Preview("because another process has changed the state", since);
    }
  }
  screen_.End();
  return ending_;
}

}  // namespace

Status RunWatch(Session& session, const WatchFlags& flags) { return Watch(session, flags).Run(); }

}  // namespace kingpost
