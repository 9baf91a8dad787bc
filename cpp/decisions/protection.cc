// SPDX-License-Identifier: Apache-2.0
#include "decisions/protection.h"

#include "base/encoding.h"

namespace kingpost::decisions {

namespace {

constexpr char kRemoveTheFlag[] =
    "remove the `protect` flag from the resource in your Pulumi program and run `pulumi up`";

std::string OrUnprotect(const Urn& urn) {
  return ", or use the command:\n`pulumi state unprotect '" + urn.str() + "'`";
}

bool IsStillThere(const StatePtr& state, const Rows& rows) {
  return !rows.WaitsForDelete(state) && !rows.IsDeletedFirst(state);
}

}  // namespace

std::optional<std::string> ProtectedFromReplacement(const State& recorded, const State& draft, bool ignored) {
  if (ignored || !recorded.protect || !draft.protect) return std::nullopt;
  return "unable to replace resource " + Quote(draft.urn.str()) +
         "\nas it is currently marked for protection. To unprotect the resource, " + kRemoveTheFlag;
}

std::optional<std::string> ProtectedDependent(const Urn& root, const std::vector<Condemned>& condemned,
                                              const Rows& rows, bool ignored) {
  if (ignored) return std::nullopt;
  for (auto going = condemned.rbegin(); going != condemned.rend(); ++going) {
    const Urn& urn = going->state->urn;
    if (!going->state->protect || !IsStillThere(going->state, rows)) continue;
    return "unable to replace resource " + Quote(urn.str()) + " as part of replacing " + Quote(root.str()) +
           " as it is currently marked for protection. To unprotect the resource, " + kRemoveTheFlag + OrUnprotect(urn);
  }
  return std::nullopt;
}

std::optional<std::string> ProtectedFromDelete(const Step& step, bool ignored) {
  const State& recorded = *step.old_state;
  if (ignored || step.replacing || !recorded.protect) return std::nullopt;
  return "resource \"" + recorded.urn.str() +
         "\" cannot be deleted\nbecause it is protected. To unprotect the resource, either " + kRemoveTheFlag +
         OrUnprotect(recorded.urn);
}

}  // namespace kingpost::decisions
