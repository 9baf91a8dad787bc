// SPDX-License-Identifier: Apache-2.0
// logs list, logs remove: the logs of commands that share $PULUMI_HOME.
#include <algorithm>
#include <filesystem>

#include "base/os.h"
#include "cli/commands/add_commands.h"
#include "cli/logs/log_files.h"
#include "cli/session/command.h"
#include "cli/session/confirmation.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/phrases.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "console/display/downloads.h"
#include "console/display/table.h"
#include "console/display/terminal.h"
#include "model/json_writer.h"

namespace kingpost {

namespace {

constexpr int64_t kMsPerSecond = 1000;

struct LogChoice {
  std::string stack, before;
  bool all = false, yes = false;
};

std::string LogFolder() { return PulumiHome() + "/logs"; }

TableRow LogRow(const LogFile& file) {
  return {file.shown_stack(), AgoText(int64_t{file.time} * kMsPerSecond), file.update_id.empty() ? "—" : file.update_id,
          BytesText(file.bytes)};
}

std::string LogsJson(const std::vector<LogFile>& files) {
  JsonWriter json("  ");
  json.BeginArray();
  for (const LogFile& file : files) {
    json.BeginObject();
    json.TextUnlessEmpty("file", file.name);
    json.TextUnlessEmpty("path", file.path);
    json.TextUnlessEmpty("stack", file.stack);
    json.TextUnlessEmpty("timestamp", ApiTime(int64_t{file.time} * kMsPerSecond));
    json.TextUnlessEmpty(file.is_command_log() ? "pid" : "updateId", file.update_id);
    json.TextUnlessEmpty("command", file.command);
    json.Key("size");
    json.Int(file.bytes);
    json.EndObject();
  }
  json.EndArray();
  return json.str() + "\n";
}

Status ListLogs(Session& session, bool as_json) {
  const Result<std::vector<LogFile>> files = ListLogFiles(LogFolder());
  if (!files.ok()) return files.status();
  if (as_json) {
    session.Print(LogsJson(*files));
    return Status::Ok();
  }
  if (files->empty()) {
    session.Print("No log files found in " + LogFolder() + "\n");
    return Status::Ok();
  }
  std::vector<TableRow> rows;
  for (const LogFile& file : *files) {
    rows.push_back(LogRow(file));
    rows.back().push_back(Printable(file.path));
  }
  session.Print(Table({"STACK", "CREATED", "UPDATE ID", "SIZE", "FILE"}, rows, session.columns()));
  return Status::Ok();
}

// The text that the user has to type: the stack's name, or "yes" where there are several.
std::string WordToConfirm(const std::vector<LogFile>& files) {
  const std::string& first = files.front().stack;
  const bool alike = std::all_of(files.begin(), files.end(), [&](const LogFile& file) { return file.stack == first; });
  return alike && !first.empty() ? first : "yes";
}

Result<std::vector<LogFile>> ChosenLogs(const LogChoice& options) {
  if (!options.all && options.before.empty() && options.stack.empty()) {
    return UsageError("say which logs to remove: pass --all, --before, or --stack");
  }
  std::optional<std::time_t> before;
  if (!options.before.empty()) {
    before = ParseLogTime(options.before, std::time(nullptr));
    if (!before) {
      return UsageError("failed to parse --before as duration or timestamp: \"" + options.before +
                        "\"; write it as 24h, 2026-01-01 or 2026-01-01T10:00:00");
    }
  }
  Result<std::vector<LogFile>> files = ListLogFiles(LogFolder());
  if (!files.ok()) return files.status();
  std::erase_if(*files, [&](const LogFile& file) {
    return (!options.stack.empty() && file.stack != options.stack) || (before && file.time >= *before);
  });
  return files;
}

Status RemoveLogs(Session& session, const LogChoice& options) {
  const Result<std::vector<LogFile>> doomed = ChosenLogs(options);
  if (!doomed.ok()) return doomed.status();
  if (doomed->empty()) {
    session.Print("No matching log files found in " + LogFolder() + "\n");
    return Status::Ok();
  }
  if (!options.yes && !IsTrueVariable("PULUMI_SKIP_CONFIRMATIONS")) {
    std::vector<TableRow> rows;
    for (const LogFile& file : *doomed) rows.push_back(LogRow(file));
    const std::string word = WordToConfirm(*doomed);
    const Result<bool> confirmed =
        Confirm(session,
                "This will permanently remove " + std::to_string(doomed->size()) + " log file" +
                    (doomed->size() == 1 ? "" : "s") + ":\n" +
                    Table({"STACK", "CREATED", "UPDATE ID", "SIZE"}, rows, session.columns()) + "Type `" +
                    Printable(word) + "` to proceed: ",
                word);
    if (!confirmed.ok()) return confirmed.status();
    if (!*confirmed) return Fail(ExitCode::kFailed, "confirmation declined");
  }
  for (const LogFile& file : *doomed) {
    std::error_code error;
    if (!std::filesystem::remove(file.path, error) && error) {
      return Fail(ExitCode::kFailed, "could not remove " + file.path + ": " + error.message());
    }
    session.Print("removed " + Printable(file.path) + "\n");
  }
  return Status::Ok();
}

}  // namespace

void AddLogsCommands(Commands* commands) {
  commands->push_back({"logs list",
                       "List the logs that pulumi keeps of its commands",
                       [](Flags& flags) -> CommandBody {
                         auto as_json = std::make_shared<bool>(false);
                         DeclareJson(flags, as_json);
                         flags.AcceptText("-s,--stack");
                         return [=](Session& session) { return ListLogs(session, *as_json); };
                       },
                       {"ls"}});
  commands->push_back({"logs remove",
                       "Remove logs that pulumi keeps of its commands",
                       [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<LogChoice>();
                         flags.Text("-s,--stack", &options->stack, "Those of this stack, by its full name");
                         flags.Text("--before", &options->before, "Those from before this date, or this long ago: 24h");
                         flags.Switch("--all", &options->all, "All logs");
                         flags.Switch("-y,--yes", &options->yes, "Do not ask");
                         return [options](Session& session) { return RemoveLogs(session, *options); };
                       },
                       {"rm", "delete"}});
}

}  // namespace kingpost
