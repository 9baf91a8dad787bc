// SPDX-License-Identifier: Apache-2.0

#include <map>

#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/flags.h"
#include "cli/session/phrases.h"
#include "cli/session/session.h"
#include "console/display/terminal.h"
#include "model/json_writer.h"

namespace kingpost {

namespace {

// The number of stacks by project. Stacks of the legacy layout have no project.
using StackCounts = std::map<std::string, int64_t>;

std::string AsJson(const StackCounts& counts) {
  JsonWriter json("    ");
  json.BeginArray();
  for (const auto& [project, stacks] : counts) {
    json.BeginObject();
    json.Key("name");
    json.Text(project);
    json.Key("stackCount");
    json.Int(stacks);
    json.EndObject();
  }
  json.EndArray();
  return PrintableJson(json.str()) + "\n";
}

std::string AsText(const StackCounts& counts) {
  if (counts.empty()) return "No projects found\n";
  std::string text = "PROJECTS:\n";
  for (const auto& [project, stacks] : counts) {
    text += "  " + Printable(project) + " (stacks: " + std::to_string(stacks) + ")\n";
  }
  return text;
}

Status RunProjectList(Session& session, bool as_json) {
  const Result<StateStore*> store = session.store();
  if (!store.ok()) return store.status();
  const Result<std::vector<StackEntry>> entries = (*store)->List();
  if (!entries.ok()) return entries.status();
  StackCounts counts;
  for (const StackEntry& entry : *entries) {
    if (!entry.stack.project.empty()) ++counts[entry.stack.project];
  }
  session.Print(as_json ? AsJson(counts) : AsText(counts));
  return Status::Ok();
}

}  // namespace

void AddProjectListCommand(Commands* commands) {
  commands->push_back({"project ls", "List the projects that have stacks", [](Flags& flags) -> CommandBody {
                         auto as_json = std::make_shared<bool>(false);
                         DeclareJson(flags, as_json);
                         flags.AcceptText("-o,--organization", "state in folders has one organization");
                         return [as_json](Session& session) { return RunProjectList(session, *as_json); };
                       }});
}

}  // namespace kingpost
