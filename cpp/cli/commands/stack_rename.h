// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/session/session.h"

namespace kingpost {

// The document, the settings and the selection under the new name.
Status RenameStack(Session& session, const StackName& from, const StackName& to);

}  // namespace kingpost
