// Finds the command, parses its flags, runs it, prints what went wrong.
#include "cli/app.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "cli/command.h"
#include "cli/command_examples.h"
#include "cli/commands/graph.h"
#include "cli/display/output.h"
#include "cli/display/terminal.h"
#include "cli/exit_code.h"
#include "cli/globals.h"
#include "cli/session.h"
#include "cli/unavailable.h"

namespace kingpost {

namespace {

constexpr char kProgram[] = "kingpost";

int ReportFailure(const Status& status, const std::string& color) {
  const ExitCode exit = ExitCodeOf(status);
  if (!status.ok() && !status.bail() && !status.message().empty()) {
    const Painter painter(WantsColor(color, IsTerminal(STDERR_FILENO)));
    Output(STDERR_FILENO).Write(painter.Paint(Style::kRed, "error: ") + Printable(status.message(), true) + "\n");
  }
  return static_cast<int>(exit);
}

// The words of a command that is not there: what was understood, and what was not.
std::vector<std::string> WordsOf(const FoundCommand& found) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < found.path.size();) {
    const size_t end = std::min(found.path.find(' ', begin), found.path.size());
    words.push_back(found.path.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const std::string& arg : found.args) {
    if (!arg.empty() && arg[0] != '-') words.push_back(arg);
  }
  return words;
}

std::string WhyMissing(const FoundCommand& found) {
  // A group alone, such as `org`, is no command.
  const size_t understood = found.command ? 1 + std::count(found.path.begin(), found.path.end(), ' ') : 0;
  return WhyUnavailable(WordsOf(found), understood);
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

Status UnknownCommand(const FoundCommand& found) {
  if (const std::string why = WhyMissing(found); !why.empty()) return Fail(ExitCode::kFailed, why);
  std::string word;
  for (const std::string& arg : found.args) {
    if (!arg.empty() && arg[0] != '-') {
      word = arg;
      break;
    }
  }
  const std::string prefix = found.path.empty() ? "" : found.path + " ";
  std::vector<std::string> siblings;
  for (const Command& command : AllCommands()) {
    if (command.hidden || command.path.rfind(prefix, 0) != 0) continue;
    const std::string rest = command.path.substr(prefix.size());
    const std::string sibling = rest.substr(0, rest.find(' '));
    if (!Destroys(sibling) || HaveTheSameLetters(word, sibling)) siblings.push_back(sibling);
  }
  const std::string nearest = NearestName(word, siblings);
  const std::string where = std::string(kProgram) + (found.path.empty() ? "" : " " + found.path);
  return UsageError("unknown command \"" + word + "\" for \"" + where + "\"" +
                    (nearest.empty() ? "; see '" + where + " --help'" : "; did you mean " + prefix + nearest + "?"));
}

bool IsFirstWord(const std::vector<std::string>& args, std::vector<std::string>::const_iterator word) {
  return std::all_of(args.begin(), word, [](const std::string& arg) { return arg.starts_with('-'); });
}

bool HasWord(const std::vector<std::string>& args) {
  for (const std::string& arg : args) {
    if (!arg.empty() && arg[0] != '-') return true;
  }
  return false;
}

Status CheckColor(const std::string& color) {
  for (const char* known : {"auto", "always", "never", "raw"}) {
    if (color == known) return Status::Ok();
  }
  return Fail(ExitCode::kFailed,
              "unsupported color option: '" + color + "'.  Supported values are: auto, always, never, raw");
}

Status ChangeFolder(const std::string& folder) {
  if (folder.empty() || ::chdir(folder.c_str()) == 0) return Status::Ok();
  return UsageError("cannot change to the folder " + folder + ": " + std::strerror(errno));
}

}  // namespace

void GlobalOptions::Declare(Flags* flags) {
  flags->Section("Global flags");
  flags->Text("-C,--cwd", &cwd, "Run as if started in this folder");
  flags->Text("--color", &color, "Colours: always, never, raw or auto");
  flags->Switch("--non-interactive", &non_interactive, "Ask nothing");
  flags->Switch("--disable-integrity-checking", &disable_integrity_checking, "Do not check the state's integrity");
  flags->Switch("-Q,--fully-qualify-stack-names", &fully_qualify_stack_names,
                "Show stacks with organization and project");
  flags->Switch("-h,--help", &help, "Show this help");
  flags->AcceptSwitch("-e,--emoji");
  const std::string no_log = "the engine writes no log of its own; --debug shows debugging messages";
  flags->AcceptSwitch("--logflow", no_log);
  flags->AcceptSwitch("--logtostderr", no_log);
  // `whoami -v` has one of its own.
  if (!flags->Declares("--verbose")) flags->AcceptText("-v,--verbose", no_log);
  for (const char* name : {"--tracing", "--tracing-header", "--otel-traces"}) {
    flags->AcceptText(name, "no traces are written");
  }
  for (const char* name : {"--profiling", "--memprofilerate"}) {
    flags->AcceptText(name, "no profiles are written; use a profiler of native programs");
  }
}

const Commands& AllCommands() {
  static const Commands* const all = [] {
    auto* commands = new Commands();
    AddOperationCommands(commands);
    AddStackCommands(commands);
    AddGraphCommand(commands);
    AddStackStateCommands(commands);
    AddTagCommands(commands);
    AddConfigCommands(commands);
    AddStateCommands(commands);
    AddCancelCommand(commands);
    AddPluginCommands(commands);
    AddPluginInstallCommand(commands);
    AddInstallCommand(commands);
    AddNewCommand(commands);
    AddInfoCommands(commands);
    return commands;
  }();
  return *all;
}

int RunCommandLine(const std::vector<std::string>& args) {
  // Whoever stops reading our output must not stop an operation: writes fail instead (display/output.h).
  std::signal(SIGPIPE, SIG_IGN);

  if (const auto help = std::find(args.begin(), args.end(), "help"); help != args.end() && IsFirstWord(args, help)) {
    std::vector<std::string> asked(help + 1, args.end());
    asked.push_back("--help");
    return RunCommandLine(asked);
  }
  const FoundCommand found = FindCommand(AllCommands(), args);
  if (!found.command) {
    const bool asks_version = found.path.empty() && args.size() == 1 && args[0] == "--version";
    if (asks_version) return RunCommandLine({"version"});
    if (HasWord(found.args)) return ReportFailure(UnknownCommand(found), "auto");
    for (const std::string& arg : found.args) {
      if (arg != "--help" && arg != "-h" && arg != "--non-interactive") {
        return ReportFailure(UsageError("unknown flag: " + arg + "; see '" + kProgram + " --help'"), "auto");
      }
    }
    Output(STDOUT_FILENO).Write(GroupHelp(AllCommands(), kProgram, found.path));
    return 0;
  }

  const Command& command = *found.command;
  Flags flags(std::string(kProgram) + " " + command.path, command.summary);
  GlobalOptions globals;
  const CommandBody body = command.declare(flags);
  globals.Declare(&flags);
  const Status parsed = flags.Parse(found.args);
  // Of `stack webhook`, where `stack` alone is a command.
  const std::string why = parsed.ok() ? "" : WhyMissing(found);
  if (!why.empty()) return ReportFailure(Fail(ExitCode::kFailed, why), globals.color);
  if (globals.help) {
    Output(STDOUT_FILENO).Write(flags.Help() + ExamplesText(command.path));
    return 0;
  }
  if (!parsed.ok()) return ReportFailure(parsed, globals.color);
  if (const Status color = CheckColor(globals.color); !color.ok()) return ReportFailure(color, "auto");
  if (const Status moved = ChangeFolder(globals.cwd); !moved.ok()) return ReportFailure(moved, globals.color);

  Session session(globals);
  for (const std::string& text : flags.Missing()) session.Warn(text);
  return ReportFailure(body(session), globals.color);
}

}  // namespace kingpost
