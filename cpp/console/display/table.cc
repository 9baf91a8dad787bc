// SPDX-License-Identifier: Apache-2.0
#include "console/display/table.h"

#include <algorithm>

#include "console/display/text_width.h"

namespace kingpost {

namespace {

constexpr int kColumnGap = 2;
constexpr int kBelow = 4;      // of the lines below a row's first
constexpr int kReadable = 24;  // a column in which sentences can be read

int LongestWord(std::string_view text) {
  int longest = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    longest = std::max(longest, DisplayWidth(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

class Layout {
 public:
  Layout(const TableRow& headers, const std::vector<TableRow>& rows, int columns) : columns_(columns) {
    for (const std::string& header : headers) widths_.push_back(DisplayWidth(header));
    for (const TableRow& row : rows) {
      for (size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], DisplayWidth(row[i]));
    }
  }

  void Add(const TableRow& row, int indent) {
    for (size_t begin = 0; begin < row.size();) {
      const size_t end = EndOfLine(begin, indent);
      AddCells(row, begin, std::min(end, row.size()), indent);
      indent = begin == 0 ? indent + kBelow : indent;
      begin = end;
    }
  }

  std::string Take() { return std::move(out_); }

 private:
  int RoomFor(size_t column, size_t first, int indent) const {
    int start = indent;
    for (size_t i = first; i < column; ++i) start += widths_[i] + kColumnGap;
    return columns_ - start;
  }

  // The end of the columns, from `begin`, that share a line. The last column may be broken there.
  size_t EndOfLine(size_t begin, int indent) const {
    size_t end = begin + 1;
    for (; end < widths_.size(); ++end) {
      const int room = RoomFor(end, begin, indent);
      const bool is_last = end + 1 == widths_.size();
      if (columns_ > 0 && widths_[end] > room && !(is_last && room >= kReadable)) break;
    }
    return end;
  }

  void AddCells(const TableRow& row, size_t begin, size_t end, int indent) {
    const int room = RoomFor(end - 1, begin, indent);
    // A path that would be torn goes on a line of its own, as the only one of its column.
    if (columns_ > 0 && end - begin > 1 && LongestWord(row[end - 1]) > room) {
      AddCells(row, begin, end - 1, indent);
      return AddCells(row, end - 1, end, begin == 0 ? indent + kBelow : indent);
    }
    std::string line(static_cast<size_t>(indent), ' ');
    bool empty = begin > 0;
    for (size_t i = begin; i < end; ++i) {
      line += i + 1 < end ? PadRight(row[i], widths_[i] + kColumnGap) : row[i];
      empty = empty && row[i].empty();
    }
    if (empty) return;  // nothing to go on with
    line.erase(line.find_last_not_of(' ') + 1);
    if (columns_ == 0) {
      out_ += line + "\n";
      return;
    }
    for (const std::string& part : WrapWords(line, columns_, columns_ - room - indent)) out_ += part + "\n";
  }

  const int columns_;
  std::vector<int> widths_;
  std::string out_;
};

}  // namespace

std::string Table(const TableRow& headers, const std::vector<TableRow>& rows, int columns, int indent) {
  Layout layout(headers, rows, columns);
  layout.Add(headers, indent);
  for (const TableRow& row : rows) layout.Add(row, indent);
  return layout.Take();
}

}  // namespace kingpost
