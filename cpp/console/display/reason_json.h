// SPDX-License-Identifier: Apache-2.0
// Why a step is taken, as a JSON object: {"rule", "said", "source", "properties", "by"}. The cause of the reason is
// that of the step of the resource `by`, which stands in the same log. O(reason); any thread.
#pragma once

#include "decisions/reason.h"
#include "model/json_writer.h"

namespace kingpost {

void WriteReason(const decisions::Reason& reason, JsonWriter* json);

}  // namespace kingpost
