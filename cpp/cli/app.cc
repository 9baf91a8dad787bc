// SPDX-License-Identifier: Apache-2.0
// Finds the command, parses its flags, runs it, prints what went wrong.
#include "cli/app.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/command_name.h"
#include "base/engine_log.h"
#include "cli/command_examples.h"
#include "cli/commands/all_commands.h"
#include "cli/completion/completion.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/globals.h"
#include "cli/session/session.h"
#include "cli/session/slow_service_notice.h"
#include "cli/session/stack_access.h"
#include "cli/timings/trace.h"
#include "cli/unavailable.h"
#include "console/display/command_marks.h"
#include "console/display/output.h"
#include "console/display/terminal.h"
#include "console/log/command_log.h"
#include "plugins/plugin_bridge.h"
#include "wire/run_bridge.h"

namespace kingpost {

namespace {

int ReportFailure(const Status& status, const std::string& color) {
  const ExitCode exit = ExitCodeOf(status);
  if (!status.ok() && !status.bail() && !status.message().empty()) {
    const Painter painter(WantsColor(color, IsTerminal(STDERR_FILENO)));
    const std::string error =
        painter.Paint(Style::kRed, "error: ") + MarkCommands(PrintableError(status.message()), painter);
    Output(STDERR_FILENO).Write(FitTo(STDERR_FILENO, error) + "\n");
  }
  return static_cast<int>(exit);
}

void PrintHelp(const std::string& text) { Output(STDOUT_FILENO).Write(WrapHelp(text, ColumnsOf(STDOUT_FILENO))); }

// The words of a command that is not there: what was understood, and what was not.
std::vector<std::string> WordsOf(const FoundCommand& found) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < found.path.size();) {
    const size_t end = std::min(found.path.find(' ', begin), found.path.size());
    words.push_back(found.path.substr(begin, end - begin));
    begin = end + 1;
  }
  for (size_t i = found.unknown.empty() ? found.args.size() : found.unknown_at; i < found.args.size(); ++i) {
    const std::string& arg = found.args[i];
    if (!arg.empty() && arg[0] != '-') words.push_back(arg);
  }
  return words;
}

// `surplus`: the word that no argument of the command takes, as in `stack history events`.
std::string WhyMissing(const FoundCommand& found, const std::string& surplus = "") {
  // A group alone, such as `org`, is no command.
  const size_t understood = found.command ? 1 + std::count(found.path.begin(), found.path.end(), ' ') : 0;
  std::vector<std::string> words = WordsOf(found);
  if (found.unknown.empty() && !surplus.empty()) words.push_back(surplus);
  return WhyUnavailable(words, understood);
}

bool Destroys(const std::string& word) {
  constexpr const char* kWords[] = {"destroy", "rm", "rm-all", "delete", "move", "cancel", "rename", "edit", "logout"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// "destory" is meant to be "destroy"; "remove" is not meant to be "move".
bool HaveTheSameLetters(std::string left, std::string right) {
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  return left == right;
}

// The words that may follow those of a command or a group of them.
std::vector<std::string> WordsBelow(const std::string& path) {
  const std::string prefix = path.empty() ? "" : path + " ";
  std::vector<std::string> words;
  for (const Command& command : AllCommands()) {
    if (command.hidden || command.path.rfind(prefix, 0) != 0) continue;
    const std::string rest = command.path.substr(prefix.size());
    words.push_back(rest.substr(0, rest.find(' ')));
  }
  return words;
}

Status UnknownCommand(const FoundCommand& found) {
  if (const std::string why = WhyMissing(found); !why.empty()) return Fail(ExitCode::kFailed, why);
  const std::string& word = found.unknown;
  const std::string prefix = found.path.empty() ? "" : found.path + " ";
  std::vector<std::string> siblings = WordsBelow(found.path);
  siblings.erase(std::remove_if(siblings.begin(), siblings.end(),
                                [&](const std::string& sibling) {
                                  return Destroys(sibling) && !HaveTheSameLetters(word, sibling);
                                }),
                 siblings.end());
  const std::string nearest = NearestName(word, siblings);
  const std::string where = std::string(CommandName()) + (found.path.empty() ? "" : " " + found.path);
  return UsageError("unknown command \"" + word + "\" for \"" + where + "\"" +
                    (nearest.empty() ? "; see '" + where + " --help'" : "; did you mean " + prefix + nearest + "?"));
}

Status CheckColor(const std::string& color) {
  std::string known;
  for (const std::string& word : kColorWords) {
    if (color == word) return Status::Ok();
    known += (known.empty() ? "" : ", ") + word;
  }
  return Fail(ExitCode::kFailed, "unsupported color option: '" + color + "'.  Supported values are: " + known);
}

// The current folder of a shell may be deleted. Paths cannot be made absolute there.
bool HasCurrentFolder() {
  std::error_code error;
  return !std::filesystem::current_path(error).empty();
}

Status ChangeFolder(const std::string& folder) {
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) {
    return UsageError("cannot change to the folder " + folder + ": " + std::strerror(errno));
  }
  if (HasCurrentFolder()) return Status::Ok();
  return Fail(ExitCode::kFailed,
              "the current folder has been deleted, or may not be read; change to another one, or "
              "name one with --cwd");
}

// The log and the trace that the flags ask for.
class Watching {
 public:
  Status Begin(const GlobalOptions& globals, const std::string& command) {
    if (!globals.profiling.empty()) {
      return UsageError("--profiling: this program writes no profiles of itself; record one with `perf record -g " +
                        NamedCommand(command) + "`, or see where the time goes with --timings or --otel-traces");
    }
    targets_ = {globals.tracing, globals.otel_traces};
    if (const Status known = CheckTraceTargets(targets_); !known.ok()) return known;
    Result<std::string> log = StartCommandLog({globals.verbose, globals.log_to_standard_error});
    if (!log.ok()) return log.status();
    log_file_ = std::move(*log);
    if (targets_.any()) trace_ = std::make_unique<Trace>("kingpost " + command);
    WriteLog(1, "kingpost " + command + ", compatible with " + CompatibleVersion());
    return Status::Ok();
  }

  // A fault of either is no failure of the command.
  void Finish(const Session& session, const Status& done) {
    WriteLog(1, "ends with " + std::to_string(static_cast<int>(ExitCodeOf(done))) +
                    (done.message().empty() ? "" : ": " + done.message()));
    if (trace_) {
      trace_->End(0, done.ok() ? "" : "failed");
      if (const Status delivered = DeliverTrace(*trace_, targets_); !delivered.ok()) {
        session.Warn("the trace was not delivered: " + delivered.message());
      }
    }
    if (!log_file_.empty()) session.Note("The log file for this run is at " + log_file_);
  }

  Trace* trace() { return trace_.get(); }

 private:
  TraceTargets targets_;
  std::string log_file_;
  std::unique_ptr<Trace> trace_;
};

// No command, but perhaps a group of them, whose help is shown.
int RunWithoutCommand(const FoundCommand& found) {
  if (!found.unknown.empty()) return ReportFailure(UnknownCommand(found), "auto");
  Flags flags(std::string(CommandName()), "");
  GlobalOptions globals;
  globals.Declare(&flags);
  flags.Section(kGlobalFlags);
  bool version = false;
  flags.Switch("--version", &version, "Show the version");
  if (const Status parsed = flags.Parse(found.args); !parsed.ok()) return ReportFailure(parsed, "auto");
  if (version) return RunCommandLine({"version"});
  const std::string help = flags.Help();
  PrintHelp(GroupHelp(AllCommands(), std::string(CommandName()), found.path) + "\n" +
            help.substr(help.find(kGlobalFlags)));
  // A group alone does nothing: a script that forgot the command must not go on.
  return found.path.empty() || globals.help ? 0 : static_cast<int>(ExitCode::kFailed);
}

// For `stack sel`, where `stack` takes only the names of its commands, and refused this one.
bool IsNoCommand(const FoundCommand& found, const std::string& surplus) {
  return !surplus.empty() && surplus == found.unknown;
}

Status RunWatched(const Command& command, const CommandBody& body, const Flags& flags, const GlobalOptions& globals) {
  Session session(globals);
  for (const std::string& text : flags.Missing()) session.Warn(text);
  Watching watching;
  if (const Status begun = watching.Begin(globals, command.path); !begun.ok()) return begun;
  session.set_trace(watching.trace());
  const SlowServiceNotice notice([&session](const std::string& text) { session.Note(text); });
  const Status done = body(session);
  watching.Finish(session, done);
  return done;
}

int RunCommand(const FoundCommand& found) {
  const Command& command = *found.command;
  Flags flags(NamedCommand(command.path), command.summary);
  GlobalOptions globals;
  const CommandBody body = command.declare(flags);
  globals.Declare(&flags);
  const Status parsed = flags.Parse(found.args);
  // For `stack webhook`, where `stack` alone is a command.
  const std::string why = parsed.ok() ? "" : WhyMissing(found, flags.surplus());
  if (!why.empty()) return ReportFailure(Fail(ExitCode::kFailed, why), globals.color);
  if (globals.help) {
    PrintHelp(flags.Help() + ExamplesText(command.path));
    return 0;
  }
  if (!parsed.ok() && IsNoCommand(found, flags.surplus())) return ReportFailure(UnknownCommand(found), globals.color);
  if (!parsed.ok()) return ReportFailure(parsed, globals.color);
  if (const Status color = CheckColor(globals.color); !color.ok()) return ReportFailure(color, "auto");
  const bool anywhere = command.path == "version";
  const Status moved = anywhere ? Status::Ok() : ChangeFolder(globals.cwd);
  if (!moved.ok()) return ReportFailure(moved, globals.color);
  return ReportFailure(RunWatched(command, body, flags, globals), globals.color);
}

int RunArguments(const std::vector<std::string>& args) {
  if (!args.empty() && args[0] == "__complete") {  // asked by the scripts of `completion`
    if (HasCurrentFolder())
      Output(STDOUT_FILENO).Write(CompletionsText(Complete(AllCommands(), {args.begin() + 1, args.end()})));
    return 0;
  }
  if (!args.empty() && args[0] == kBridgeCommand) return RunBridge({args.begin() + 1, args.end()});
  const FoundCommand found = FindCommand(AllCommands(), args);
  if (found.path.empty() && found.unknown == "help") {
    std::vector<std::string> asked(found.args.begin() + static_cast<ptrdiff_t>(found.unknown_at) + 1, found.args.end());
    asked.push_back("--help");
    return RunArguments(asked);
  }
  return found.command ? RunCommand(found) : RunWithoutCommand(found);
}

}  // namespace

int RunCommandLine(const std::vector<std::string>& args) {
  // A reader that closes our output must not stop an operation: writes fail instead (display/output.h).
  std::signal(SIGPIPE, SIG_IGN);
  const int status = RunArguments(args);
  // A script that keeps our output has to learn that it is not whole.
  const std::string failure = status == 0 ? OutputFailure() : "";
  return failure.empty() ? status : ReportFailure(Fail(ExitCode::kFailed, failure), "auto");
}

}  // namespace kingpost
