// What the displays of a running operation share: a title, the rows of its resources, and what
// is being downloaded. One thread.
#pragma once

#include "cli/display/downloads.h"
#include "cli/display/labels.h"
#include "cli/display/output.h"
#include "cli/display/progress.h"
#include "cli/display/rows.h"
#include "cli/display/speech.h"

namespace kingpost {

class RowDisplay : public EventConsumer {
 protected:
  explicit RowDisplay(DisplayOptions options)
      : options_(std::move(options)),
        output_(options_.fd),
        painter_(options_.color),
        rows_(options_.show, options_.preview, options_.masking.get(), options_.StackResource()),
        speech_(options_.StackResource()) {
    const std::string title = OperationTitle(options_.kind, options_.preview, options_.stack);
    output_.Write(painter_.Paint(Style::kMagenta, painter_.Bold(title)) + "\n\n");
  }

  const DisplayOptions options_;
  Output output_;
  const Painter painter_;
  Rows rows_;
  Speech speech_;
  Downloads downloads_;
};

}  // namespace kingpost
