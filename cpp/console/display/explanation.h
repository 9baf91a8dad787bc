// SPDX-License-Identifier: Apache-2.0
// Why a step is taken, in words: under the step with --explain, and link by link for 'kingpost why'. Texts are
// printable and name no values. Pure.
#pragma once

#include <string>
#include <vector>

#include "decisions/reason.h"
#include "kingpost/event.h"

namespace kingpost {

// "replaced: `zone` changed and the provider cannot change it in place", or "goes first with `db`: ..."; of a step that
// failed, what was tried: "replace: ...".
std::string DecisionText(StepOp op, const decisions::Reason& reason, bool failed = false);

// One line, and a second if another resource is the cause of it: the first cause, however far away it is.
//
//     goes first with `app`: its input `host` comes from there, and the provider said that ...
//     because `db` is replaced: `zone` changed and the provider cannot change it in place (by way of `app`)
std::vector<std::string> Explanation(const StepMetadata& step, bool failed);

// The causes, nearest first: "because `app` goes first with `db`: ...", "because `db` is replaced: ...".
std::vector<std::string> CauseTexts(const decisions::Reason& reason);

}  // namespace kingpost
