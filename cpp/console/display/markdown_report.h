// SPDX-License-Identifier: Apache-2.0
// The result of a preview as a page, for people who did not run it: a comment on a pull request, a note of drift.
//
// Short enough for the comments of GitHub whatever the size of the stack; what is left out is counted. Secrets stay
// masked.
#pragma once

#include <memory>

#include "console/display/progress.h"

namespace kingpost {

// --output markdown: nothing while the preview runs, the report at its end.
std::unique_ptr<EventConsumer> NewMarkdownReport(DisplayOptions options);

}  // namespace kingpost
