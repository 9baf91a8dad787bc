// SPDX-License-Identifier: Apache-2.0
// --event-log tcp://host:port: engine events as JSON over gRPC, the Automation API's way.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "console/display/masking.h"
#include "console/display/sink_queue.h"

namespace kingpost {

Result<std::unique_ptr<EventConsumer>> NewEventListener(const std::string& url, std::shared_ptr<const Masking> masking);

}  // namespace kingpost
