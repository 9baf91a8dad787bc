// SPDX-License-Identifier: Apache-2.0
// state promote: a snippet of the state as code of the program. What it registered stays, protected, until
// the code has been copied.
//
// The stack is held all the while, so that what is written is what is taken out.
#include "cli/convert/promote_command.h"

#include <algorithm>

#include "cli/convert/import_language.h"
#include "cli/convert/plugin_schemas.h"
#include "cli/packages/plugin_client.h"
#include "cli/session/confirmation.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/stack_access.h"
#include "languages/codegen/from_snippet.h"
#include "languages/pcl/snippet_program.h"
#include "model/snapshot.h"

namespace kingpost {

namespace {

using FilesByName = std::map<std::string, std::string>;

struct PromoteChoice {
  std::string snippet, stack;
  bool yes = false;
};

Result<pcl::Snippet> FindSnippet(const Snapshot& snapshot, const std::string& name) {
  const auto snippets = pcl::ParseSnippets(snapshot.snippets_json);
  if (!snippets.ok()) return snippets.status();
  const pcl::Snippet* found = nullptr;
  for (const pcl::Snippet& snippet : *snippets) {
    if (snippet.name != name) continue;
    if (found) {
      return Fail(ExitCode::kFailed, "snippet name \"" + name + "\" is ambiguous: several snippets share this name");
    }
    found = &snippet;
  }
  if (found) return *found;
  return Fail(ExitCode::kFailed, "no snippet named \"" + name + "\" exists in the current state");
}

Status CheckReferences(const Snapshot& snapshot, const pcl::Snippet& snippet) {
  for (const auto& [name, urn] : snippet.references) {
    if (!Urn(urn).valid()) {
      return Fail(ExitCode::kFailed, "snippet reference \"" + name + "\" has invalid URN \"" + urn + "\"");
    }
    for (const StatePtr& state : snapshot.resources) {
      if (state->urn.str() != urn || state->snippet_id.empty()) continue;
      return Fail(ExitCode::kFailed, "snippet reference \"" + name + "\" points to \"" + urn +
                                         "\", which was produced by snippet \"" + state->snippet_id +
                                         "\"; pulumi state promote does not yet support references to other snippets");
    }
  }
  return Status::Ok();
}

// Its own package as it is recorded; those of functions and references as they are found.
std::vector<pcl::PackageDescriptor> PackagesOf(const pcl::SnippetProgram& program) {
  const pcl::Snippet& snippet = program.snippet();
  std::set<std::string> others = program.packages();
  for (const auto& [name, urn] : snippet.references) others.insert(schema::PackageOf(std::string(Urn(urn).type())));
  others.erase(program.package());
  std::vector<pcl::PackageDescriptor> packages = {snippet.package};
  for (const std::string& name : others) {
    if (!name.empty() && name != "pulumi") packages.push_back({name, "", "", std::nullopt});
  }
  return packages;
}

std::string FileNameOf(const std::string& language) {
  if (language == "python") return "__main__.py";
  return language == "yaml" ? "Main.yaml" : "index.ts";
}

Result<FilesByName> WriteByPlugin(const Session& session, const pcl::Snippet& snippet, const schema::Packages& packages,
                                  const Project& project) {
  auto client = PluginClient::Open(session, project);
  if (!client.ok()) return client.status();
  ProgramRequest request;
  request.language = project.runtime;
  request.source["promote.pp"] = codegen::PclOfSnippet(snippet);
  for (const auto& [name, package] : packages) request.schemas[name] = package->DocumentText();
  auto answer = (*client)->GenerateProgram(std::move(request));
  if (!answer.ok()) return answer.status().Wrap("load language runtime \"" + project.runtime + "\"");
  const Status told = PrintMessages(session, answer->messages, "no code is generated");
  if (!told.ok()) return told;
  return FilesByName(answer->files.begin(), answer->files.end());
}

Result<FilesByName> WriteCode(const Session& session, const pcl::Snippet& snippet, const Project& project) {
  const auto parsed = pcl::SnippetProgram::Parse(snippet);
  if (!parsed.ok()) return parsed.status();
  const auto loaded = LoadSchemas(session, project, {}, PackagesOf(**parsed));
  if (!loaded.ok()) return loaded.status();
  for (const auto& [package, reason] : loaded->failures) {
    if (package == (*parsed)->package()) return Fail(ExitCode::kFailed, reason);
    session.Warn("the names in the generated code are guessed: no schema of the package '" + package + "' (" + reason +
                 ")");
  }
  if (const Status bound = (*parsed)->Check(loaded->packages); !bound.ok()) return bound;
  static constexpr const char* kWrittenHere[] = {"python", "nodejs", "bun", "yaml"};
  const bool here =
      std::find(std::begin(kWrittenHere), std::end(kWrittenHere), project.runtime) != std::end(kWrittenHere);
  if (!here) return WriteByPlugin(session, snippet, loaded->packages, project);
  const auto program = codegen::ProgramOfSnippet(snippet, loaded->packages);
  if (!program.ok()) return Fail(ExitCode::kFailed, snippet.file() + ":" + program.status().message());
  auto text = WriteProgram(session, *program, project);
  if (!text.ok()) return text.status();
  return FilesByName{{FileNameOf(project.runtime), std::move(*text)}};
}

void PrintCode(const Session& session, const pcl::Snippet& snippet, const FilesByName& files) {
  session.Print("Generated code for snippet \"" + snippet.name + "\":\n");
  for (const auto& [name, text] : files) {
    session.Print("\n" + name + "\n" + std::string(name.size(), '=') + "\n" + text +
                  (text.ends_with('\n') ? "" : "\n"));
  }
}

// How many resources it leaves.
size_t TakeOut(const pcl::Snippet& snippet, Snapshot* snapshot) {
  snapshot->snippets_json = pcl::WithoutSnippet(snapshot->snippets_json, snippet.uuid);
  size_t retained = 0;
  for (StatePtr& state : snapshot->resources) {
    if (state->snippet_id != snippet.uuid) continue;
    auto next = std::make_shared<State>(*state);
    next->snippet_id.clear();
    next->protect = true;
    state = std::move(next);
    ++retained;
  }
  return retained;
}

Result<const Project*> ProjectOf(Session& session) {
  if (!session.has_project()) {
    return Fail(ExitCode::kFailed,
                "pulumi state promote must be run from a Pulumi project, whose language the code is written in");
  }
  return session.project();
}

Status Promote(Session& session, const PromoteChoice& choice) {
  const Result<const Project*> project = ProjectOf(session);
  if (!project.ok()) return project.status();
  if ((*project)->runtime.empty()) return Fail(ExitCode::kFailed, "pulumi state promote requires a project runtime");
  const Result<StackName> stack = session.FindStack(choice.stack);
  if (!stack.ok()) return stack.status();
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, *stack);
  if (!held.ok()) return held.status();
  Result<CheckpointDocument> checkpoint = DecodeStack(session, *stack, (*held)->document(), DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  Snapshot& snapshot = checkpoint->snapshot;
  const Result<pcl::Snippet> snippet = FindSnippet(snapshot, choice.snippet);
  if (!snippet.ok()) return snippet.status();
  if (const Status alone = CheckReferences(snapshot, *snippet); !alone.ok()) return alone;
  const Result<FilesByName> files = WriteCode(session, *snippet, **project);
  if (!files.ok()) return files.status().Wrap("generate program");
  PrintCode(session, *snippet, *files);
  if (!choice.yes && session.interactive()) {
    const Result<bool> confirmed = Confirm(session,
                                           "\nThis command will remove the snippet from state and leave its resources "
                                           "in state. Type 'yes' to go on: ",
                                           "yes");
    if (!confirmed.ok()) return confirmed.status();
    if (!*confirmed) return Fail(ExitCode::kFailed, "confirmation declined; nothing was changed");
  }
  const size_t retained = TakeOut(*snippet, &snapshot);
  const Status saved = (*held)->Save(std::move(snapshot), EncodeOptions());
  if (!saved.ok()) return saved;
  session.Print("\nSnippet \"" + snippet->name + "\" promoted from state; " + std::to_string(retained) +
                " resource(s) retained\n");
  return (*held)->Release();
}

}  // namespace

void AddStatePromoteCommand(Commands* commands) {
  commands->push_back({"state promote", "Write a snippet as code of the program, and take it out of the state",
                       [](Flags& flags) -> CommandBody {
                         auto choice = std::make_shared<PromoteChoice>();
                         flags.Argument("snippet-name", &choice->snippet, "The snippet's name", true);
                         flags.Text("-s,--stack", &choice->stack, "The stack; the selected one by default");
                         flags.Switch("-y,--yes", &choice->yes, "Do not ask");
                         return [choice](Session& session) { return Promote(session, *choice); };
                       }});
}

}  // namespace kingpost
