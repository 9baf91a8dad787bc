// SPDX-License-Identifier: Apache-2.0
// Asks which stack is meant, among those of the project, or for the name of a new one.
#pragma once

#include "cli/session/session.h"

namespace kingpost {

// The stack that the person in front of the terminal chose, which exists and is now selected. A Bail says that nothing
// was chosen. Only where session.interactive().
Result<StackName> ChooseStack(Session& session, const std::string& question);

// A new stack of this name, if the person wants it to be made.
Result<StackName> OfferStack(Session& session, const std::string& typed);

// The name of a stack to be, as typed.
Result<std::string> AskForStackName(Session& session);

}  // namespace kingpost
