// SPDX-License-Identifier: Apache-2.0
// stack tag get, set, rm, ls: names and values kept beside the stack.
#include "base/encoding.h"
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "console/display/table.h"
#include "console/display/terminal.h"
#include "model/json_writer.h"

namespace kingpost {

namespace {

struct TagOptions {
  std::string stack, name, value;
  bool json = false;
};
using Tags = std::map<std::string, std::string>;
struct TagCommand {
  const char* word;
  const char* summary;
  Status (*action)(Session&, StateStore&, const StackName&, const Tags&, const TagOptions&);
  bool changes = false;                            // then the stack is held meanwhile
  bool name = false, value = false, json = false;  // what it takes
};

Status NotFound(const std::string& name, const StackName& stack) {
  return Fail(ExitCode::kFailed, "stack tag '" + name + "' not found for stack '" + stack.name + "'");
}

Status Get(Session& session, StateStore&, const StackName& stack, const Tags& tags, const TagOptions& options) {
  const auto found = tags.find(options.name);
  if (found == tags.end()) return NotFound(options.name, stack);
  session.Print(found->second + "\n");
  return Status::Ok();
}

Status Set(Session&, StateStore& store, const StackName& stack, const Tags& tags, const TagOptions& options) {
  if (!IsValidUtf8(options.name) || !IsValidUtf8(options.value)) {
    return UsageError("the tag is not UTF-8: give its name and value as UTF-8 text");
  }
  Tags changed = tags;
  changed[options.name] = options.value;
  return store.SaveTags(stack, changed);
}

// Well, too, if there is none.
Status Remove(Session&, StateStore& store, const StackName& stack, const Tags& tags, const TagOptions& options) {
  Tags left = tags;
  return left.erase(options.name) == 0 ? Status::Ok() : store.SaveTags(stack, left);
}

Status List(Session& session, StateStore&, const StackName&, const Tags& tags, const TagOptions& options) {
  if (options.json) {
    JsonWriter json("  ");
    json.TextMap(tags);
    session.Print(PrintableJson(json.str()) + "\n");
    return Status::Ok();
  }
  std::vector<TableRow> rows;
  for (const auto& [name, value] : tags) rows.push_back({Printable(name), Printable(value)});
  session.Print(Table({"NAME", "VALUE"}, rows, session.columns()));
  return Status::Ok();
}

Status Run(Session& session, const TagOptions& options, const TagCommand& command) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  const Result<StateStore*> store = session.store();
  std::unique_ptr<HeldStack> held;
  if (command.changes) {
    Result<std::unique_ptr<HeldStack>> opened = HoldStack(session, *stack);
    if (!opened.ok()) return opened.status();
    held = std::move(*opened);
  }
  Result<Tags> tags = (*store)->LoadTags(*stack);
  if (!tags.ok()) return tags.status();
  const Status done = command.action(session, **store, *stack, *tags, options);
  return done.ok() && held ? held->Release() : done;
}

void AddTagCommand(Commands* commands, const TagCommand& command) {
  commands->push_back({std::string("stack tag ") + command.word, command.summary, [=](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<TagOptions>();
                         if (command.name) flags.Argument("NAME", &options->name, "The tag", true);
                         if (command.value) flags.Argument("VALUE", &options->value, "Its value", true);
                         if (command.json) DeclareJson(flags, std::shared_ptr<bool>(options, &options->json));
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         return [=](Session& session) { return Run(session, *options, command); };
                       }});
}

}  // namespace

void AddTagCommands(Commands* commands) {
  AddTagCommand(commands, {.word = "get", .summary = "Show the value of a tag", .action = Get, .name = true});
  AddTagCommand(commands,
                {.word = "set", .summary = "Set a tag", .action = Set, .changes = true, .name = true, .value = true});
  AddTagCommand(commands, {.word = "rm", .summary = "Remove a tag", .action = Remove, .changes = true, .name = true});
  AddTagCommand(commands, {.word = "ls", .summary = "List the tags of the stack", .action = List, .json = true});
}

}  // namespace kingpost
