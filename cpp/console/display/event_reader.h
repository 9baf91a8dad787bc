// SPDX-License-Identifier: Apache-2.0
// Engine events that another process has written (console/display/event_json.h), for the displays of this one. What
// such lines do not hold is not there again: contents of assets, and why a step is taken. O(event); any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "kingpost/event.h"

namespace kingpost {

// A line of an event log. None if it is no event, or one of a kind that is not known.
std::optional<EngineEvent> ReadEvent(const nlohmann::json& line);

}  // namespace kingpost
