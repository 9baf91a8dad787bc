// stack tag get, set, rm, ls: names and values kept beside the stack.
#include "cli/commands/shared.h"
#include "cli/display/json_writer.h"
#include "cli/exit_code.h"

namespace kingpost {

namespace {

struct Options {
  std::string stack, name, value;
  bool json = false;
};
using Tags = std::map<std::string, std::string>;
using TagAction = Status (*)(Session&, StateStore&, const StackName&, Tags, const Options&);

Status NotFound(const std::string& name, const StackName& stack) {
  return Fail(ExitCode::kFailed, "stack tag '" + name + "' not found for stack '" + stack.name + "'");
}

Status Get(Session& session, StateStore&, const StackName& stack, Tags tags, const Options& options) {
  const auto found = tags.find(options.name);
  if (found == tags.end()) return NotFound(options.name, stack);
  session.Print(found->second + "\n");
  return Status::Ok();
}

Status Set(Session&, StateStore& store, const StackName& stack, Tags tags, const Options& options) {
  tags[options.name] = options.value;
  return store.SaveTags(stack, tags);
}

Status Remove(Session&, StateStore& store, const StackName& stack, Tags tags, const Options& options) {
  if (tags.erase(options.name) == 0) return NotFound(options.name, stack);
  return store.SaveTags(stack, tags);
}

Status List(Session& session, StateStore&, const StackName&, Tags tags, const Options& options) {
  if (options.json) {
    JsonWriter json("  ");
    json.TextMap(tags);
    session.Print(json.str() + "\n");
    return Status::Ok();
  }
  std::vector<TableRow> rows;
  for (const auto& [name, value] : tags) rows.push_back({Printable(name), Printable(value)});
  session.Print(Table({"NAME", "VALUE"}, rows));
  return Status::Ok();
}

Status Run(Session& session, const Options& options, TagAction action) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  const Result<StateStore*> store = session.store();
  Result<Tags> tags = (*store)->LoadTags(*stack);
  if (!tags.ok()) return tags.status();
  return action(session, **store, *stack, std::move(*tags), options);
}

void Add(Commands* commands, const std::string& word, const std::string& summary, bool name, bool value, bool json,
         TagAction action) {
  commands->push_back({"stack tag " + word, summary, [=](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<Options>();
                         if (name) flags.Argument("NAME", &options->name, "The tag", true);
                         if (value) flags.Argument("VALUE", &options->value, "Its value", true);
                         if (json) flags.Switch("-j,--json", &options->json, "As JSON");
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         return [=](Session& session) { return Run(session, *options, action); };
                       }});
}

}  // namespace

void AddTagCommands(Commands* commands) {
  Add(commands, "get", "Show the value of a tag", true, false, false, Get);
  Add(commands, "set", "Set a tag", true, true, false, Set);
  Add(commands, "rm", "Remove a tag", true, false, false, Remove);
  Add(commands, "ls", "List the tags of the stack", false, false, true, List);
}

}  // namespace kingpost
