// SPDX-License-Identifier: Apache-2.0
// The program that declares what was imported, or what is recorded already: printed, or written to the file of --out.
// Secrets do not show in it: they become settings of the stack. Main thread.
#pragma once

#include "cli/operations/operation_setup.h"
#include "cli/session/session.h"

namespace kingpost {

// After an import: the code of what is recorded of it, also if another part of it failed. After a preview of one: the
// code that would import it.
Status PrintImportedCode(Session& session, const OperationFlags& flags, const OperationSetup& setup,
                         const Snapshot& after);

// import --from-state URN...: the code of these resources, all if none is named. Nothing else is done.
Status RunImportFromState(Session& session, OperationFlags flags);

}  // namespace kingpost
