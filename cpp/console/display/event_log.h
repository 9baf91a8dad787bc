// SPDX-License-Identifier: Apache-2.0
// Engine events as JSON lines to a file, and as one document after a preview. What goes to standard output goes to the
// sink, if there is one.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "console/display/masking.h"
#include "console/display/output.h"
#include "console/display/show_options.h"
#include "console/display/sink_queue.h"

namespace kingpost {

// Lines to a file, which is emptied first, as programs that follow it expect. A FIFO without a reader is an
// error, not a wait.
Result<std::unique_ptr<EventConsumer>> NewFileEventLog(const std::string& path, std::shared_ptr<const Masking> masking);

// Lines to standard output: --json of up, refresh, destroy and import.
std::unique_ptr<EventConsumer> NewEventStream(std::shared_ptr<const Masking> masking, TextSink sink = nullptr);

// The digest of a preview to standard output when it has ended: preview --json.
std::unique_ptr<EventConsumer> NewPreviewDigest(std::shared_ptr<const Masking> masking, ShowOptions show,
                                                TextSink sink = nullptr);

// One line with the counts and the resources that were changed, when the operation has ended: --output json.
std::unique_ptr<EventConsumer> NewSummaryLine(ShowOptions show, TextSink sink = nullptr);

}  // namespace kingpost
