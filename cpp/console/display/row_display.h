// SPDX-License-Identifier: Apache-2.0
// The common part of the displays of a running operation: a title, the rows of its resources, and downloads. One
// thread.
#pragma once

#include "console/display/display_rows.h"
#include "console/display/downloads.h"
#include "console/display/interruption.h"
#include "console/display/labels.h"
#include "console/display/message_formatter.h"
#include "console/display/output.h"
#include "console/display/progress.h"

namespace kingpost {

class RowDisplay : public EventConsumer {
 protected:
  explicit RowDisplay(DisplayOptions options)
      : options_(std::move(options)),
        output_(options_.fd, options_.sink),
        painter_(options_.color),
        rows_(options_.show, options_.preview, options_.masking.get(), options_.StackResource()),
        speech_(options_.StackResource()) {
    if (options_.is_part_of_fleet) return;
    const std::string title = OperationTitle(options_.kind, options_.preview, options_.stack);
    output_.Write(painter_.Paint(Style::kMagenta, painter_.Bold(title)) + "\n\n");
  }

  // Lines that stay, to be read on a terminal or kept elsewhere.
  void Write(const std::string& text) { output_.Write(options_.sink ? text : FitTo(options_.fd, text)); }

  // The message about an interruption since the last call; "" if there was none.
  std::string TakeInterruption() {
    const int number = options_.interruptions ? options_.interruptions() : 0;
    if (number == interruptions_told_) return "";
    interruptions_told_ = number;
    return InterruptionText(rows_, number, options_.now(), painter_) + (number == 1 ? WaitsForService() : "");
  }
  // For the end of an operation.
  std::string LeftPending() const { return interruptions_told_ > 1 ? LeftPendingText(rows_, painter_) : ""; }

  // An operation that does nothing more may still have something to record.
  std::string WaitsForService() const {
    constexpr std::chrono::seconds kUsual{2};  // answers take so long
    const std::optional<Wait> wait = options_.waits();
    if (!wait || options_.now() - wait->since < kUsual) return "";
    return "It waits for " + Printable(wait->what) + " to answer.\n";
  }

  const DisplayOptions options_;
  Output output_;
  const Painter painter_;
  DisplayRows rows_;
  MessageFormatter speech_;
  Downloads downloads_;
  int interruptions_told_ = 0;
};

}  // namespace kingpost
