// SPDX-License-Identifier: Apache-2.0
// Which recorded resource a URN on the command line means (row 6.12): as decisions/state_edits.h finds it, with the
// commands that help where it means none.
#pragma once

#include "base/command_name.h"
#include "decisions/state_edits.h"

namespace kingpost {

inline std::string ListingRemedy() {
  return "\nTo list the resource URNs in the stack, run " + QuotedCommand("stack --show-urns") +
         "; to inspect the full state, run " + QuotedCommand("stack export") + ".";
}

inline Result<StatePtr> WithRemedy(Result<StatePtr> found) {
  if (found.ok() || found.status().code() != Code::kNotFound) return found;
  return Status(Code::kFailedPrecondition, found.status().message() + ListingRemedy());
}

inline Result<StatePtr> FindLiveState(const Snapshot& snapshot, const std::string& urn) {
  return WithRemedy(decisions::FindLiveState(snapshot, urn));
}

inline Result<StatePtr> FindOnlyState(const Snapshot& snapshot, const std::string& urn) {
  return WithRemedy(decisions::FindOnlyState(snapshot, urn));
}

}  // namespace kingpost
