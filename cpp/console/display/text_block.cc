// SPDX-License-Identifier: Apache-2.0
#include "console/display/text_block.h"

#include "console/display/sequence_diff.h"
#include "console/display/terminal.h"

namespace kingpost {

namespace {

constexpr size_t kContext = 2;
constexpr size_t kLinesMax = 20;  // of a text that is shown on its own
constexpr int kLongestLine = 200;

using LineKind = TextLine::Kind;

std::string Shown(std::string_view line, bool full) {
  const std::string printable = Printable(line);
  return full ? printable : Truncate(printable, kLongestLine);
}

std::string LeftOut(size_t count, const char* what) {
  return "… " + std::to_string(count) + what + (count == 1 ? " line" : " lines");
}

// Which edits are near a change.
std::vector<bool> NearChange(const SequenceEdits& edits) {
  std::vector<bool> near(edits.size(), false);
  for (size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].kind == SequenceEdit::Kind::kKeep) continue;
    const size_t begin = i < kContext ? 0 : i - kContext;
    for (size_t at = begin; at < std::min(edits.size(), i + kContext + 1); ++at) near[at] = true;
  }
  return near;
}

}  // namespace

bool HasSeveralLines(const std::string& text) {
  const size_t end = text.find('\n');
  return end != std::string::npos && end + 1 < text.size();
}

std::vector<TextLine> ChangedText(const std::string& old_text, const std::string& new_text, bool full) {
  const std::vector<std::string_view> old_lines = LinesOf(old_text), new_lines = LinesOf(new_text);
  const SequenceEdits edits = DiffLines(old_lines, new_lines);
  const std::vector<bool> near = NearChange(edits);
  std::vector<TextLine> out;
  for (size_t i = 0; i < edits.size();) {
    size_t end = i;
    while (end < edits.size() && !near[end]) ++end;
    // A line that says "1 line left out" saves nothing.
    if (!full && end - i > 1) {
      out.push_back({LineKind::kLeftOut, LeftOut(end - i, " unchanged")});
      i = end;
      continue;
    }
    const SequenceEdit& edit = edits[i++];
    const bool inserted = edit.kind == SequenceEdit::Kind::kInsert;
    const std::string_view line = inserted ? new_lines[edit.new_index] : old_lines[edit.old_index];
    const LineKind kind = inserted                                   ? LineKind::kInserted
                          : edit.kind == SequenceEdit::Kind::kDelete ? LineKind::kDeleted
                                                                     : LineKind::kSame;
    out.push_back({kind, Shown(line, full)});
  }
  const bool old_ends = !old_text.empty() && old_text.back() == '\n';
  const bool new_ends = !new_text.empty() && new_text.back() == '\n';
  if (old_ends && !new_ends) out.push_back({LineKind::kDeleted, "(the line break at the end)"});
  if (!old_ends && new_ends) out.push_back({LineKind::kInserted, "(a line break at the end)"});
  return out;
}

std::vector<TextLine> WholeText(const std::string& text, bool full) {
  const std::vector<std::string_view> lines = LinesOf(text);
  const size_t shown = full || lines.size() <= kLinesMax + 1 ? lines.size() : kLinesMax;
  std::vector<TextLine> out;
  for (size_t i = 0; i < shown; ++i) out.push_back({LineKind::kSame, Shown(lines[i], full)});
  if (shown < lines.size()) out.push_back({LineKind::kLeftOut, LeftOut(lines.size() - shown, " more")});
  return out;
}

}  // namespace kingpost
