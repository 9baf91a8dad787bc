// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/watch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/os.h"
#include "cli/operations/operation.h"
#include "cli/operations/operation_run.h"
#include "cli/operations/operation_setup.h"
#include "cli/session/exit_code.h"
#include "cli/session/user_files.h"
#include "cli/watch/plan_view.h"
#include "cli/watch/warm_plugins.h"
#include "cli/watch/watch_news.h"
#include "cli/watch/watch_roots.h"
#include "console/display/labels.h"
#include "console/display/output.h"
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
constexpr int kLinesBeside{6};                        // of the screen: the title, the keys and what is between

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

// The state's file as it was last seen; "" where it is not a file.
std::string StateStamp(const std::string& file) {
  struct stat info {};
  if (file.empty() || stat(file.c_str(), &info) != 0) return "";
  return std::to_string(info.st_ino) + " " + std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) +
         "." + std::to_string(info.st_mtim.tv_nsec);
}

class Watch {
 public:
  Watch(const Session& session, const WatchFlags& flags)
      : globals_(session.globals()),
        flags_(flags),
        painter_(session.painter()),
        on_terminal_(session.interactive() && IsTerminal(STDOUT_FILENO) && !flags.operation.for_programs()),
        warm_(loop_),
        output_(STDOUT_FILENO) {
    flags_.operation.kind = OperationKind::kUpdate;
    flags_.operation.is_preview_command = true;
  }

  Status Run();

 private:
  struct Shown {
    std::unique_ptr<PlanView> view;
    std::string plan_json;
  };

  Status FollowFiles();
  void Act(const std::string& why, Clock::time_point since);
  void Preview(const std::string& why, Clock::time_point since);
  void Update(const std::string& plan);
  void Deploy();
  void Show(const std::string& title, const std::string& body);
  void Tell(const std::string& text);
  void ShowProblem(const std::string& why, const std::string& problem);
  std::string Title(const std::string& why, Clock::time_point since) const;
  std::string KeysLine() const;
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
  Loop loop_;
  WarmPlugins warm_;
  Output output_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<WatchNews> news_;
  std::string settings_;  // the stack's file, absolute
  std::string name_;      // "project/stack"
  std::vector<std::string> roots_;
  LoadedBefore before_;
  std::optional<Shown> shown_;  // the last plan that could be made
  std::string last_text_;       // as it was shown
  bool shown_is_current_ = false;
  std::string state_file_, state_stamp_;
  Clock::time_point looked_afar_ = Clock::now();
  int plans_ = 0;
  bool changed_in_run_ = false;  // files, while the last one ran
  bool done_ = false;
  Status ending_;
};

// ---- what is shown --------------------------------------------------------------------------------------------------

void Watch::Tell(const std::string& text) {
  if (flags_.operation.for_programs()) {
    Output(STDERR_FILENO).Write(text);
  } else {
    output_.Write(text);
  }
}

std::string Watch::KeysLine() const {
  if (!on_terminal_) return "";
  const std::string deploy = shown_is_current_ ? "u deploys this plan   " : "";
  return painter_.Paint(Style::kDim, deploy + "d details   r refresh   q quit") + "\n";
}

std::string Watch::Title(const std::string& why, Clock::time_point since) const {
  const std::string facts = "plan " + std::to_string(plans_) + " at " + TimeOfDay() + ", in " +
                            InSeconds(Clock::now() - since) + (why.empty() ? "" : ", " + why);
  return painter_.Bold("Watching") + " " + Printable(name_) + " " + painter_.Paint(Style::kDim, "(" + facts + ")");
}

// On a terminal the screen is drawn anew; what does not fit is left to the details.
void Watch::Show(const std::string& title, const std::string& body) {
  if (!on_terminal_) return Tell(title + "\n" + body);
  const TerminalSize size = SizeOf(STDOUT_FILENO);
  std::string shown;
  int lines = 0, left = 0;
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find('\n', begin), body.size() - 1) + 1;
    if (++lines <= std::max(1, size.rows - kLinesBeside)) {
      shown += body.substr(begin, end - begin);
    } else {
      ++left;
    }
    begin = end;
  }
  if (left > 0) shown += painter_.Paint(Style::kDim, std::to_string(left) + " more lines: d shows them") + "\n";
  output_.Write("\x1b[H\x1b[2J" + title + "\n\n" + shown + "\n" + KeysLine());
}

// The error, and the last plan below it, which stays in view.
void Watch::ShowProblem(const std::string& why, const std::string& problem) {
  shown_is_current_ = false;
  std::string body = problem;
  if (!body.ends_with("\n")) body += "\n";
  if (!last_text_.empty() && on_terminal_) {
    body += "\n" + painter_.Bold("The last plan") + painter_.Paint(Style::kDim, " (from before)") + "\n\n" + last_text_;
  }
  Show(painter_.Bold("Watching") + " " + painter_.Paint(Style::kRed, "no plan") + " " +
           painter_.Paint(Style::kDim, "(at " + TimeOfDay() + (why.empty() ? "" : ", " + why) + ")"),
       body);
}

// ---- what is done ---------------------------------------------------------------------------------------------------

void Watch::Preview(const std::string& why, Clock::time_point since) {
  ++plans_;
  OperationFlags flags = flags_.operation;
  if (!flags.json) flags.output = kNoOutput;
  Session& session = Fresh();
  if (on_terminal_) output_.Write("\r" + painter_.Paint(Style::kDim, "planning...") + "\x1b[K");
  Status possible = RequireOwnVersion(session);
  const Result<std::string> settings = ReadWholeFile(settings_);
  Result<OperationSetup> setup = possible.ok() ? SetUpOperation(session, flags, &before_) : possible;
  // The salt of a passphrase is written to settings that have none.
  const Result<std::string> settings_now = ReadWholeFile(settings_);
  if (settings_now.ok() && (!settings.ok() || *settings != *settings_now)) news_->Know(settings_);
  MarkState();
  if (!setup.ok()) return ShowProblem(why, "error: " + PrintableError(setup.status().message()));
  setup->options.save_plan = !flags.json && on_terminal_;
  auto view = std::make_unique<PlanView>(DisplayOf(session, flags, *setup, true));
  EarlyProcesses early;
  early.make_host = [this](const Project& project, const ProcessHostOptions& wanted) {
    return warm_.MakeHost(project, wanted);
  };
  const RunOutcome outcome = RunOnce(session, flags, *setup, std::move(early), true, loop_, nullptr, view.get());
  changed_in_run_ = news_->Look();
  view->Settle();
  const Status& status = outcome.result.status;
  if (status.code() == Code::kCancelled || outcome.terminated) {
    done_ = true;
    return;
  }
  const int columns = on_terminal_ ? SizeOf(STDOUT_FILENO).columns : 0;
  if (flags.json) {
    output_.Write("\n");
  } else if (!status.ok()) {
    const std::string text = view->Text(columns, false);
    ShowProblem(why, status.bail() ? text : text + "error: " + PrintableError(status.message()));
  } else {
    std::string text = view->Text(columns, flags.diff);
    last_text_ = text;
    if (shown_) {
      const std::string changes = view->ChangesSince(*shown_->view);
      text += "\n" + painter_.Bold("Since the plan before:") + (changes.empty() ? " nothing new\n" : "\n" + changes);
    }
    shown_is_current_ = true;
    shown_ = Shown{std::move(view), outcome.result.plan_json};
    Show(Title(why, since), text);
  }
  (void)KeepReasons(*setup, outcome.result, outcome.reasons, true);
  warm_.Prepare(session, flags);
}

// As `up` does it. `plan` is the file of what it is held to; "" for whatever the program says.
void Watch::Update(const std::string& plan) {
  OperationFlags flags = flags_.operation;
  flags.is_preview_command = false;
  flags.yes = flags.skip_preview = true;
  flags.plan_file = plan;
  Session& session = Fresh();
  EarlyProcesses early = warm_.TakeEarly();
  if (on_terminal_) output_.Write("\x1b[H\x1b[2J");
  const Status done = RunOperationCommand(session, flags, early.standby ? &early : nullptr);
  changed_in_run_ = news_->Look();
  if (!done.ok() && !done.message().empty()) Tell("error: " + PrintableError(done.message()) + "\n");
  if (ExitCodeOf(done) == ExitCode::kCancelled || done.message().ends_with("canceled")) {
    done_ = true;
    ending_ = done;
  }
  warm_.Prepare(session, flags_.operation);
  MarkState();
}

void Watch::Deploy() {
  const Result<PrivateFolder> folder = PrivateFolder::Create();
  if (!folder.ok()) return ShowProblem("", "error: " + folder.status().message());
  const std::string file = folder->Path("plan.json");
  const Status written = WritePrivateOutput(file, shown_->plan_json);
  if (!written.ok()) return ShowProblem("", "error: " + written.message());
  Update(file);
  shown_is_current_ = false;
}

void Watch::Act(const std::string& why, Clock::time_point since) {
  if (!flags_.up) return Preview(why, since);
  if (!why.empty()) Tell(painter_.Paint(Style::kDim, "Updating at " + TimeOfDay() + ", " + why) + "\n");
  Update("");
}

void Watch::Press(char key) {
  if (key == 'q') {
    done_ = true;
  } else if (key == 'd' && shown_) {
    Page(painter_, shown_->view->Details());
    Show(painter_.Bold("Watching"), last_text_);
  } else if (key == 'r') {
    warm_.Forget();
    before_ = LoadedBefore();
    const std::string usual = std::exchange(flags_.operation.refresh, "true");
    Preview("after a refresh", Clock::now());
    flags_.operation.refresh = usual;
  } else if (key == 'u' && shown_is_current_ && !shown_->plan_json.empty()) {
    Deploy();
    if (!done_) Preview("after the update", Clock::now());
  }
}

// ---- the world ------------------------------------------------------------------------------------------------------

void Watch::MarkState() { state_stamp_ = StateStamp(state_file_); }

bool Watch::StateHasChanged() {
  if (!state_file_.empty()) return StateStamp(state_file_) != state_stamp_;
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
    news_ = std::make_unique<WatchNews>(loop_, std::move(*files), on_terminal_);
    const Result<StateStore*> store = session.store();
    const Result<StackDocument> document = store.ok() ? (*store)->Load(*stack) : store.status();
    if (document.ok() && document->location.starts_with("/")) state_file_ = document->location;
    MarkState();
  }
  return Status::Ok();
}

Status Watch::Run() {
  if (const Status checked = CheckOperationFlags(flags_.operation); !checked.ok()) return checked;
  if (const Status follows = FollowFiles(); !follows.ok()) return follows;
  Act("", Clock::now());
  int own_changes = 0;
  while (!done_ && !news_->interrupted() && output_.alive()) {
    if (const Status follows = FollowFiles(); !follows.ok()) return follows;
    own_changes = changed_in_run_ ? own_changes + 1 : 0;
    WatchNews::News news = news_->Wait(kNow);
    if (own_changes == kOwnChangesMax) {
      Tell(FileNames(news.files) +
           " changes whenever the program runs. Leave what it writes to .gitignore, or it is run again and again; for "
           "now the next run waits.\n");
    }
    const auto pause_ends = Clock::now() + (own_changes >= kOwnChangesMax ? kAfterOwn : kNow);
    while (Clock::now() < pause_ends && news.key == 0 && !news_->interrupted()) {
      WatchNews::News more = news_->Wait(kLook);
      for (std::string& file : more.files) news.files.push_back(std::move(file));
      news.key = more.key;
    }
    std::sort(news.files.begin(), news.files.end());
    news.files.erase(std::unique(news.files.begin(), news.files.end()), news.files.end());
    while (news.files.empty() && news.key == 0 && !news_->interrupted() && !StateHasChanged()) {
      news = news_->Wait(kLook);
    }
    const auto since = Clock::now();
    if (news_->interrupted()) break;
    if (!news.files.empty()) {
      Act("after a change of " + FileNames(news.files), since);
    } else if (news.key != 0) {
      Press(news.key);
    } else {
      Preview("because another process has changed the state", since);
    }
  }
  if (on_terminal_) output_.Write("\n");
  return ending_;
}

}  // namespace

Status RunWatch(Session& session, const WatchFlags& flags) { return Watch(session, flags).Run(); }

}  // namespace kingpost
