// SPDX-License-Identifier: Apache-2.0
// The questions that a failed Create or Update leaves open. Part of the provider's seam (kingpost/provider.h).
#pragma once

#include "base/status.h"

namespace kingpost {

// The commands that settle a create whose outcome is not known, for QuotedCommand.
inline constexpr char kAdoptCreate[] = "refresh --import-pending-creates URN --import-pending-creates ID";
inline constexpr char kClearCreates[] = "refresh --clear-pending-creates";

// The detail of a failed Create that may have taken place: the plugin died during the call, the connection broke, or
// the answer names no ID or cannot be read. Only a provider's own error says that nothing was made.
struct MayHaveHappened {};

// The detail of a Create or Update that has not failed and has not happened either: the resource waits for something
// (row 5.19). Also of the result of a run in which nothing worse came to pass.
struct AwaitFailed {};

}  // namespace kingpost
