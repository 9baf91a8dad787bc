// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/add_commands.h"
#include "cli/commands/stack_tree.h"
#include "cli/session/command.h"
#include "cli/session/flags.h"
#include "cli/session/phrases.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "console/display/table.h"
#include "console/display/terminal.h"
#include "model/json_writer.h"
#include "model/snapshot.h"

namespace kingpost {

namespace {

struct ListOptions {
  std::string project, tag;
  bool json = false, all = false, tree = false;
};

struct Listed {
  StackEntry entry;
  std::string name;
  bool current = false;
  int resources = 0;
};

// `filter` is NAME or NAME=VALUE; "" lets all through.
Result<bool> HasTag(StateStore& store, const StackName& stack, const std::string& filter) {
  if (filter.empty()) return true;
  const Result<std::map<std::string, std::string>> tags = store.LoadTags(stack);
  if (!tags.ok()) return tags.status();
  const size_t equals = filter.find('=');
  const auto found = tags->find(filter.substr(0, equals));
  return found != tags->end() && (equals == std::string::npos || found->second == filter.substr(equals + 1));
}

// All documents in as few requests as the store needs; each by itself if one of them cannot be had.
void CountAll(Session& session, StateStore& store, std::vector<Listed>* listed) {
  std::vector<StackName> stacks;
  for (const Listed& row : *listed) stacks.push_back(row.entry.stack);
  const Result<std::vector<StackDocument>> all = store.LoadMany(stacks);
  for (size_t i = 0; i < listed->size(); ++i) {
    const Result<StackDocument> document = all.ok() ? (*all)[i] : store.Load(stacks[i]);
    const Result<int> count = document.ok() ? CountResources(document->bytes) : Result<int>(document.status());
    if (count.ok()) (*listed)[i].resources = *count;
    if (!count.ok()) session.Warn("stack " + (*listed)[i].name + ": " + count.status().message());
  }
}

Result<std::vector<Listed>> ListStacks(Session& session, const ListOptions& options) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  Result<std::vector<StackEntry>> entries = (*store)->List();
  if (!entries.ok()) return entries.status();
  std::string project = options.project;
  if (project.empty() && !options.all) {
    const Result<const Project*> current = session.project();
    if (!current.ok()) return current.status();
    project = (*current)->name;
  }
  const std::string selected = session.selected();
  std::vector<Listed> listed;
  for (StackEntry& entry : *entries) {
    const bool is_other = !entry.stack.project.empty() && entry.stack.project != project;
    if (!project.empty() && is_other) continue;
    const Result<bool> wanted = HasTag(**store, entry.stack, options.tag);
    if (!wanted.ok()) return wanted.status();
    if (!*wanted) continue;
    Listed row;
    row.name = session.ShortName(entry.stack);
    row.current = (*store)->QualifiedName(entry.stack) == selected;
    row.entry = std::move(entry);
    listed.push_back(std::move(row));
  }
  CountAll(session, **store, &listed);
  return listed;
}

std::string AsJson(const std::vector<Listed>& listed) {
  JsonWriter json("  ");
  json.BeginArray();
  for (const Listed& stack : listed) {
    json.BeginObject();
    json.Key("name");
    json.Text(stack.name);
    json.Key("current");
    json.Bool(stack.current);
    json.Key("lastUpdate");
    json.Text(ApiTime(stack.entry.modified_ms));
    json.Key("resourceCount");
    json.Int(stack.resources);
    json.EndObject();
  }
  json.EndArray();
  return PrintableJson(json.str()) + "\n";
}

Status RunStackList(Session& session, const ListOptions& options) {
  const Result<std::vector<Listed>> listed = ListStacks(session, options);
  if (!listed.ok()) return listed.status();
  if (options.tree) {
    std::vector<StackTreeNode> stacks;
    for (const Listed& stack : *listed) {
      stacks.push_back({stack.entry.stack, stack.name, AgoText(stack.entry.modified_ms)});
    }
    return PrintStackTree(session, stacks, options.json);
  }
  if (options.json) {
    session.Print(AsJson(*listed));
    return Status::Ok();
  }
  std::vector<TableRow> rows;
  for (const Listed& stack : *listed) {
    const std::string name = Printable(stack.name) + (stack.current ? "*" : "");
    rows.push_back({stack.current ? session.painter().Bold(name) : name,
                    stack.entry.locked ? "in progress" : AgoText(stack.entry.modified_ms),
                    std::to_string(stack.resources)});
  }
  session.Print(Table({"NAME", "LAST UPDATE", "RESOURCE COUNT"}, rows, session.columns()));
  return Status::Ok();
}

}  // namespace

void AddStackListCommand(Commands* commands) {
  commands->push_back({"stack ls", "List stacks", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<ListOptions>();
                         DeclareJson(flags, std::shared_ptr<bool>(options, &options->json));
                         flags.Text("-t,--tag", &options->tag, "With this tag: NAME or NAME=VALUE");
                         flags.Switch("-a,--all", &options->all, "Of all projects");
                         flags.Switch("--tree", &options->tree,
                                      "Which stacks read which, and whose outputs have changed since they were read");
                         flags.Text("-p,--project", &options->project, "Of this project");
                         flags.AcceptText("-o,--organization", "state in folders has one organization");
                         return [options](Session& session) { return RunStackList(session, *options); };
                       }});
}

}  // namespace kingpost
