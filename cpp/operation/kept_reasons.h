// SPDX-License-Identifier: Apache-2.0
// The reasons of the last operation and of the last preview of a stack, in its store beside the history. Blocking.
#pragma once

#include <optional>

#include "operation/loaded_operation.h"
#include "operation/reason_log.h"

namespace kingpost {

// One that came to no resource leaves what was kept before.
Status KeepReasons(const LoadedOperation& loaded, const OperationResult& result, const ReasonLog& log, bool preview);

// The reasons of the operation or of the preview, whichever ended later, or none. URNs have the stack's name of now.
Result<std::optional<KeptReasons>> LastReasons(StateStore& store, const StackName& stack);

}  // namespace kingpost
