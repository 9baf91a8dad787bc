// SPDX-License-Identifier: Apache-2.0
// kingpost watch: a preview, or an update, at each change of the program, its local packages and its settings.
//
//     files change ─▶ (burst over) ─▶ state compared with the store's ─▶ program runs, plugins are up ─▶ plan on the
//     screen
//
// Between two of them nothing is held: no lock, no file, no connection. An update takes the lock as any other command
// does. Main thread, which is the engine thread while something runs.
#pragma once

#include "cli/operations/operation_flags.h"
#include "cli/session/session.h"

namespace kingpost {

struct WatchFlags {
  OperationFlags operation;        // of its previews
  bool up = false;                 // update, instead of a preview
  std::vector<std::string> paths;  // watched besides
};

// Ends when the user wants it to, well if nothing was interrupted.
Status RunWatch(Session& session, const WatchFlags& flags);

}  // namespace kingpost
