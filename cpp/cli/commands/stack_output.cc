// SPDX-License-Identifier: Apache-2.0
// stack output: what the stack's program exported, as text, JSON or shell variables.
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/phrases.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "console/display/masking.h"
#include "console/display/table.h"
#include "console/display/terminal.h"
#include "console/display/value_text.h"
#include "model/json_writer.h"

namespace kingpost {

namespace {

struct OutputOptions {
  std::string stack, name;
  bool json = false, shell = false, show_secrets = false;
};

// Values as they leave the program: secrets as "[secret]" or what they hold.
Value Shown(const Value& value, bool show_secrets) {
  return StripSecretsAndOutputs(show_secrets ? value : MaskSecrets(value));
}

Result<std::string> JsonOf(const Value& value) { return EncodeValue(value, Urn(), EncodeOptions()); }

Result<std::string> PlainText(const Value& value) {
  if (value.is_string()) return value.as_string();
  return JsonOf(value);
}

Status PrintJson(Session& session, const PropertyMap& outputs) {
  JsonWriter json("  ");
  json.BeginObject();
  for (const auto& [key, value] : outputs) {
    const Result<std::string> encoded = JsonOf(value);
    if (!encoded.ok()) return encoded.status();
    json.Key(key);
    json.Json(*encoded);
  }
  json.EndObject();
  session.Print(PrintableJson(json.str()) + "\n");
  return Status::Ok();
}

Status PrintTable(Session& session, const PropertyMap& outputs) {
  if (outputs.empty()) {
    session.Print("Current stack has no output values\n");
    return Status::Ok();
  }
  session.Print("Current stack outputs (" + std::to_string(outputs.size()) + "):\n");
  std::vector<TableRow> rows;
  for (const auto& [key, value] : outputs) {
    const Result<std::string> text = PlainText(value);
    if (!text.ok()) return text.status();
    rows.push_back({Printable(key), Printable(*text)});
  }
  session.Print(Table({"OUTPUT", "VALUE"}, rows, session.columns(), 4));
  return Status::Ok();
}

Status Run(Session& session, const OutputOptions& options) {
  if (options.json && options.shell) return UsageError("only one of --json and --shell may be set");
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  const Result<Snapshot> snapshot = ReadSnapshot(session, *stack, options.show_secrets);
  if (!snapshot.ok()) return snapshot.status();

  PropertyMap shown;
  for (const auto& [key, value] : OutputsOfStack(*snapshot)) {
    if (key.rfind("__", 0) != 0) shown.Set(key, Shown(value, options.show_secrets));
  }
  if (!options.name.empty()) {
    const Value* value = shown.Find(options.name);
    if (!value) return Fail(ExitCode::kFailed, "current stack does not have output property '" + options.name + "'");
    const Result<std::string> text = options.json ? JsonOf(*value) : PlainText(*value);
    if (!text.ok()) return text.status();
    session.Print((options.shell ? options.name + "=" + ShellQuoted(*text) : *text) + "\n");
    return Status::Ok();
  }
  if (options.json) return PrintJson(session, shown);
  if (!options.shell) return PrintTable(session, shown);
  for (const auto& [key, value] : shown) {
    const Result<std::string> text = PlainText(value);
    if (!text.ok()) return text.status();
    session.Print(key + "=" + ShellQuoted(*text) + "\n");
  }
  return Status::Ok();
}

}  // namespace

void AddStackOutputCommand(Commands* commands) {
  commands->push_back({"stack output", "Show the stack's outputs", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<OutputOptions>();
                         flags.Argument("NAME", &options->name, "Only this output");
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         flags.Switch("-j,--json", &options->json, "As JSON");
                         flags.Switch("--shell", &options->shell, "As shell variables");
                         flags.Switch("--show-secrets", &options->show_secrets, "Show secret outputs in clear");
                         return [options](Session& session) { return Run(session, *options); };
                       }});
}

}  // namespace kingpost
