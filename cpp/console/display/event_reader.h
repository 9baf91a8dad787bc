// SPDX-License-Identifier: Apache-2.0
// Engine events that another process has written (console/display/event_json.h), for the displays of this one. What
// such lines do not hold is not there again: contents of assets, and why a step is taken. O(event); any thread.
#pragma once

#include <optional>
#include <string_view>

#include "kingpost/event.h"

namespace kingpost {

// None if the text is no event, or one of a kind that is not known.
std::optional<EngineEvent> ReadEvent(std::string_view json);

}  // namespace kingpost
