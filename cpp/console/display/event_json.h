// SPDX-License-Identifier: Apache-2.0
// An engine event as one JSON line in the form that the Automation API and event logs use (rows 10.2, 10.3).
//
// Secrets are masked, contents of text assets left out. O(event); any thread.
#pragma once

#include <cstdint>
#include <string>

#include "console/display/masking.h"
#include "kingpost/event.h"

namespace kingpost {

// Without the line break. `sequence` counts from 0; `timestamp` is in Unix seconds.
std::string EncodeEvent(const EngineEvent& event, int64_t sequence, int64_t timestamp, const Masking& masking);

// The properties as such events hold them.
std::string EncodeMaskedProperties(const PropertyMap& properties, const Urn& urn, const Masking& masking);

}  // namespace kingpost
