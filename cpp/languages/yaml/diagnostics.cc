// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/diagnostics.h"

#include <algorithm>

#include "base/edit_distance.h"

namespace kingpost::yaml {

void Diagnostics::Add(const Status& status) {
  if (status.ok()) return;
  const auto* mistake = status.detail<pcl::Mistake>();
  if (mistake) {
    Error(mistake->at, mistake->message);
  } else {
    Error({0, 0}, status.message());
  }
}

bool Diagnostics::has_errors() const {
  return std::ranges::find(list_, Diagnostic::Severity::kError, &Diagnostic::severity) != list_.end();
}

std::string Render(const Diagnostic& diagnostic, const Source& source) {
  std::string text = diagnostic.summary + "\n";
  if (diagnostic.at.line > 0) {
    const std::string line = std::to_string(diagnostic.at.line), column = std::to_string(diagnostic.at.column);
    const std::string margin(line.size() < 4 ? 4 - line.size() : 0, ' ');
    text += "\n  on " + source.file + " line " + line + ", column " + column + ":\n" + margin + line + ": " +
            source.Line(diagnostic.at.line) + "\n";
  }
  if (!diagnostic.detail.empty()) text += "\n" + diagnostic.detail + "\n";
  return text;
}

Status AsStatus(const Diagnostics& diagnostics, const Source& source) {
  std::string text;
  for (const auto& [severity, summary, detail, at] : diagnostics.list()) {
    if (severity != Diagnostic::Severity::kError) continue;
    text += (text.empty() ? "" : "; ") + source.file;
    if (at.line > 0) text += ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    text += ": " + summary + (detail.empty() ? "" : ": " + detail);
  }
  return text.empty() ? Status() : Status(Code::kInvalidArgument, text);
}

std::string ListClosest(const std::string& wrong, std::vector<std::string> names, size_t max) {
  std::ranges::sort(names, {}, [&](const std::string& name) { return std::pair(EditDistance(wrong, name), name); });
  std::string text;
  for (size_t i = 0; i < names.size() && i < max; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() <= max) return text;
  const size_t more = names.size() - max;
  return text + " and " + std::to_string(more) + (more == 1 ? " other" : " others");
}

}  // namespace kingpost::yaml
