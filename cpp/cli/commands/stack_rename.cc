// SPDX-License-Identifier: Apache-2.0
// stack rename: the document, the settings and the selection under the new name (row 6.15).
#include "operation/stack_rename.h"

#include <filesystem>

#include "cli/commands/stack_rename.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"

namespace kingpost {

namespace {

Status MoveSettings(Session& session, const StackName& from, const StackName& to) {
  if (!session.has_project()) return Status::Ok();
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  const std::string old_file = (*project)->StackConfigFile(from.name);
  std::error_code error;
  if (!std::filesystem::exists(old_file, error)) return Status::Ok();
  std::filesystem::rename(old_file, (*project)->StackConfigFile(to.name), error);
  return error ? Fail(ExitCode::kFailed, "could not rename the settings file " + old_file + ": " + error.message())
               : Status::Ok();
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
    session.Say("Renamed " + from.name + " to " + to.name + "\n");
    return Status::Ok();
  });
}

}  // namespace kingpost
