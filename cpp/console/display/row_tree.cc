// SPDX-License-Identifier: Apache-2.0
#include "console/display/row_tree.h"

#include <algorithm>

#include "console/display/branches.h"

namespace kingpost {

namespace {

constexpr int kGap = 2;  // between columns
constexpr int kHanging = 6;
constexpr size_t kInfoIndent = 8;
constexpr int kNarrowestType = 12;
constexpr int kNarrowestName = 10;

class TreeBuilder {
 public:
  TreeBuilder(const DisplayRows& rows, const std::function<bool(const DisplayRow&)>& wanted) : all_(rows.all()) {
    std::unordered_map<const DisplayRow*, size_t> index;
    for (size_t i = 0; i < all_.size(); ++i) index.emplace(&all_[i], i);
    parent_of_.assign(all_.size(), kNone);
    std::vector<bool> keep(all_.size(), false);
    for (size_t i = 0; i < all_.size(); ++i) {
      const DisplayRow* parent = all_[i].parent.empty() ? nullptr : rows.Find(all_[i].parent);
      if (parent && parent != &all_[i]) parent_of_[i] = index.at(parent);
    }
    for (size_t i = 0; i < all_.size(); ++i) {
      if (!wanted(all_[i])) continue;
      for (size_t at = i; at != kNone && !keep[at]; at = parent_of_[at]) keep[at] = true;
    }
    children_.resize(all_.size());
    for (size_t i = 0; i < all_.size(); ++i) {
      if (keep[i]) (parent_of_[i] == kNone ? roots_ : children_[parent_of_[i]]).push_back(i);
    }
  }

  std::vector<TreeLine> Lines() const {
    std::vector<TreeLine> lines;
    for (BranchLine& line : DrawBranches(roots_, children_)) {
      lines.push_back({&all_[line.node], std::move(line.branch)});
    }
    return lines;
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  const std::deque<DisplayRow>& all_;
  std::vector<size_t> parent_of_, roots_;
  std::vector<std::vector<size_t>> children_;
};

struct Widths {
  int type = 0, name = 0, state = 0;
};

// Where rows may go on below, only types and names have to have room.
Widths WidthsOf(const std::vector<RowCells>& cells, int columns, bool cut) {
  Widths widths;
  for (const RowCells& row : cells) {
    widths.type = std::max(widths.type, DisplayWidth(row.type));
    widths.name = std::max(widths.name, DisplayWidth(row.name));
    widths.state = std::max(widths.state, DisplayWidth(row.state));
  }
  const int state = cut ? kGap + widths.state : 0;
  const auto excess = [&] { return 4 + widths.type + kGap + widths.name + state - columns; };
  if (excess() > 0) widths.type = std::max(std::min(widths.type, kNarrowestType), widths.type - excess());
  if (excess() > 0) widths.name = std::max(std::min(widths.name, kNarrowestName), widths.name - excess());
  return widths;
}

RowCells Titles(const TableStyle& look, const std::vector<RowCells>& rows, const Painter& painter) {
  const bool informs = std::any_of(rows.begin(), rows.end(), [](const RowCells& row) { return !row.info.empty(); });
  RowCells titles;
  titles.mark = "  ";
  titles.type = painter.Bold("Type");
  titles.name = painter.Bold("Name");
  titles.state = painter.Bold(look.state_title);
  if (informs) titles.info = painter.Bold("Info");
  return titles;
}

std::string LineOf(const RowCells& cells, const Widths& widths, bool cut) {
  const std::string gap(kGap, ' ');
  const std::string type = cut ? Truncate(cells.type, widths.type) : cells.type;
  const std::string name = cut ? Truncate(cells.name, widths.name) : cells.name;
  std::string line = " " + cells.mark + " " + PadRight(type, widths.type);
  if (widths.name > 0) line += gap + PadRight(name, widths.name);
  line += gap + PadRight(cells.state, widths.state);
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

// Where the information begins: in one column, if there is room for all of it, and else right behind each row (0).
int InfoColumn(const std::vector<RowCells>& cells, const Widths& widths, int columns) {
  const int column = 4 + widths.type + (widths.name > 0 ? kGap + widths.name : 0) + kGap + widths.state + kGap;
  const bool fits = std::all_of(cells.begin(), cells.end(), [&](const RowCells& row) {
    return row.info.empty() || column + DisplayWidth(row.info) <= columns;
  });
  return fits ? column : 0;
}

std::string WithInfo(const std::string& line, const RowCells& row, int column) {
  if (row.info.empty()) return line;
  return PadRight(line, std::max(column, DisplayWidth(line) + kGap)) + row.info;
}

// Text that does not fit goes on below: the information as a whole if there is any, and the state with it if need be.
void AddWrapped(RowCells row, const Widths& widths, int column, int columns, std::vector<std::string>* lines) {
  std::string line = LineOf(row, widths, false);
  std::string below = row.info;
  if (const std::string whole = WithInfo(line, row, column); DisplayWidth(whole) <= columns) {
    line = whole;
    below.clear();
  } else if (DisplayWidth(line) > columns && !row.state.empty()) {
    below = row.state + (row.info.empty() ? "" : std::string(kGap, ' ') + row.info);
    row.state.clear();
    line = LineOf(row, widths, false);
  }
  for (std::string& part : WrapWords(line, columns, kHanging)) lines->push_back(std::move(part));
  if (below.empty()) return;
  for (std::string& part : WrapWords(std::string(kInfoIndent, ' ') + below, columns, 2)) {
    lines->push_back(std::move(part));
  }
}

void AddExplanation(const DisplayRows& rows, const DisplayRow& row, int columns, const Painter& painter,
                    std::vector<std::string>* lines) {
  for (const std::string& text : rows.Explanation(row)) {
    for (const std::string& part : WrapWords(std::string(kInfoIndent, ' ') + text, columns, 2)) {
      lines->push_back(painter.Paint(Style::kDim, part));
    }
  }
}

}  // namespace

std::vector<TreeLine> TreeOf(const DisplayRows& rows, const std::function<bool(const DisplayRow&)>& wanted) {
  return TreeBuilder(rows, wanted).Lines();
}

std::vector<std::string> TableLines(const DisplayRows& rows, const std::vector<TreeLine>& tree, const TableStyle& look,
                                    DisplayClock::time_point now, const Painter& painter) {
  std::vector<RowCells> cells;
  cells.reserve(tree.size());
  for (const TreeLine& line : tree) {
    cells.push_back(rows.Cells(*line.row, now, painter));
    cells.back().type = painter.Paint(Style::kDim, line.branch) + cells.back().type;
  }
  const bool titled = *look.state_title && !cells.empty();
  if (titled) cells.insert(cells.begin(), Titles(look, cells, painter));
  const Widths widths = WidthsOf(cells, look.columns - 1, look.cut);
  const int info_column = InfoColumn(cells, widths, look.columns - 1);
  std::vector<std::string> lines;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (look.cut) {
      const std::string line = LineOf(cells[i], widths, true);
      lines.push_back(Truncate(WithInfo(line, cells[i], info_column), look.columns - 1));
      continue;
    }
    AddWrapped(cells[i], widths, info_column, look.columns, &lines);
    const bool is_title = titled && i == 0;
    if (look.explain && !is_title) AddExplanation(rows, *tree[titled ? i - 1 : i].row, look.columns, painter, &lines);
  }
  return lines;
}

}  // namespace kingpost
