// SPDX-License-Identifier: Apache-2.0
// Messages of programs, providers and the engine while an operation runs, as lines under the name of the speaker:
//
//       pulumi:pulumi:Stack (site-dev):
//         hello
//         warning: the region is not set
//
// The heading stands once above all that one of them says in a row. One thread.
#pragma once

#include <string>
#include <vector>

#include "console/display/display_rows.h"

namespace kingpost {

// "warning: " and the like before the text, indented, whole lines.
std::string MessageLines(const RowMessage& message, const Painter& painter);
// "  TYPE (NAME):", a whole line.
std::string SourceLine(const std::string& type, const std::string& name, const Painter& painter);

class MessageFormatter {
 public:
  // The stack speaks for messages without a resource; its resource has this name ("project-stack").
  explicit MessageFormatter(std::string stack_resource) : stack_resource_(std::move(stack_resource)) {}

  // Lines for what was said. Errors stand whole at the end. Until then a row shows the error of its resource, and one
  // line a long error of the stack.
  std::string FormatMessage(const RowChange& change, const Painter& painter);
  // Other lines were printed since.
  void Interrupt() { speaker_.clear(); }

 private:
  const std::string stack_resource_;
  std::string speaker_;  // the last one
};

}  // namespace kingpost
