// SPDX-License-Identifier: Apache-2.0
// stack rename: the document, the settings and the selection under the new name (row 6.15).
#include "operation/stack_rename.h"

#include <filesystem>

#include "base/disk/durable_file.h"
#include "cli/commands/stack_rename.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"

namespace kingpost {

namespace {

// The keys of a project are named after it, and follow it.
Status MoveKeys(const std::string& file, const StackName& from, const StackName& to) {
  if (from.project == to.project) return Status::Ok();
  const Result<StackConfig> settings = StackConfig::Load(file, from.project);
  if (!settings.ok()) return Fail(ExitCode::kUsage, settings.status().message());
  const std::string text = settings->TextInProject(from.project, to.project);
  return text == settings->Text() ? Status::Ok() : WriteFileDurably(file, text);
}

Status MoveSettings(Session& session, const StackName& from, const StackName& to) {
  if (!session.has_project()) return Status::Ok();
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  const std::string old_file = (*project)->StackConfigFile(from.name);
  const std::string new_file = (*project)->StackConfigFile(to.name);
  std::error_code error;
  if (!std::filesystem::exists(old_file, error)) return Status::Ok();
  std::filesystem::rename(old_file, new_file, error);
  if (!error) return MoveKeys(new_file, from, to);
  return Fail(ExitCode::kFailed, "could not rename the settings file " + old_file + ": " + error.message());
}

void Tell(Session& session, const StackName& from, const StackName& to) {
  const bool same_project = from.project == to.project;
  session.Say("Renamed " + (same_project ? from.name : from.str()) + " to " + (same_project ? to.name : to.str()) +
              "\n");
  if (same_project || !session.has_project()) return;
  const Result<const Project*> project = session.project();
  if (project.ok() && (*project)->name != to.project) {
    session.Say("The stack belongs to the project " + to.project + " now: write 'name: " + to.project + "' into " +
                (*project)->file + "\n");
  }
}

}  // namespace

Status RenameStack(Session& session, const StackName& from, const StackName& to) {
  const Result<std::unique_ptr<HeldStack>> held = HoldStack(session, from);
  if (!held.ok()) return held.status();
  Result<CheckpointDocument> checkpoint = DecodeStack(session, from, (*held)->document(), DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  const bool was_selected = session.selected() == (*held)->store().QualifiedName(from);
  return RenameHeldStack(**held, std::move(*checkpoint), to, [&] {
    if (const Status moved = MoveSettings(session, from, to); !moved.ok()) return moved;
    if (was_selected) {
      if (const Status selected = session.Select(to); !selected.ok()) return selected;
    }
    Tell(session, from, to);
    return Status::Ok();
  });
}

}  // namespace kingpost
