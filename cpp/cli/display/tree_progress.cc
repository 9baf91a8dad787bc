// Redraws the tree in place. The screen holds what was drawn last; drawing goes back over it:
//
//     cursor up N lines, for each line: text, erase to its end; erase what is below
#include <algorithm>

#include "cli/display/labels.h"
#include "cli/display/output.h"
#include "cli/display/row_display.h"

namespace kingpost {

namespace {

constexpr int kLinesBelowTree = 3;  // the count, an empty line and the cursor's

struct TreeLine {
  const Row* row;
  std::string branch;  // "│  ├─ "
};

class TreeProgress : public RowDisplay {
 public:
  explicit TreeProgress(DisplayOptions options) : RowDisplay(std::move(options)) {}

  void Consume(const EngineEvent& event) override {
    if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
      downloads_.Apply(*progress);
    } else {
      rows_.Apply(event, DisplayClock::now());
    }
    dirty_ = true;
  }

  void Tick() override {
    // Running times change even if nothing else does.
    if (dirty_ || AnyRunning()) Draw();
    dirty_ = false;
  }

  void Finish() override {
    const auto now = DisplayClock::now();
    rows_.Settle(now);
    std::string frame = Rewind();
    for (const TreeLine& line : Tree(false)) frame += FullLine(line, now) + "\n";
    output_.Write(frame + "\n" + rows_.Footer(painter_));
  }

 private:
  bool AnyRunning() const {
    for (const Row& row : rows_.all()) {
      if (row.phase == RowPhase::kRunning) return true;
    }
    return false;
  }

  std::string Rewind() {
    if (drawn_lines_ == 0) return "";
    std::string up = "\x1b[" + std::to_string(drawn_lines_) + "A\r\x1b[J";
    drawn_lines_ = 0;
    return up;
  }

  std::string FullLine(const TreeLine& line, DisplayClock::time_point now) const {
    return " " + painter_.Paint(Style::kDim, line.branch) + rows_.Line(*line.row, now, painter_);
  }

  void Draw() {
    if (!output_.alive() || options_.show.suppress_progress) return;
    const TerminalSize size = SizeOf(options_.fd);
    const auto now = DisplayClock::now();
    std::vector<TreeLine> tree = Tree(true);
    const std::vector<std::string> downloads = downloads_.Lines(size.columns - 2);
    const int room = std::max(1, size.rows - kLinesBelowTree - downloads_.size());
    // On a small screen what runs or failed matters most.
    if (static_cast<int>(tree.size()) > room) {
      std::stable_partition(tree.begin(), tree.end(), [](const TreeLine& line) {
        return line.row->phase == RowPhase::kRunning || line.row->phase == RowPhase::kFailed;
      });
    }
    const int shown = std::min<int>(room, static_cast<int>(tree.size()));
    std::string frame = Rewind();
    for (int i = 0; i < shown; ++i) frame += Truncate(FullLine(tree[i], now), size.columns - 1) + "\n";
    for (const std::string& line : downloads) frame += " " + line + "\n";
    frame += Truncate(Counts(static_cast<int>(tree.size()) - shown), size.columns - 1) + "\n";
    drawn_lines_ = shown + downloads_.size() + 1;
    output_.Write(frame);
  }

  std::string Counts(int hidden) const {
    int running = 0, done = 0, same = 0;
    for (const Row& row : rows_.all()) {
      if (row.phase == RowPhase::kRunning) {
        ++running;
      } else if (row.phase != RowPhase::kWaiting) {
        ++(row.step.op == StepOp::kSame ? same : done);
      }
    }
    std::string text = " " + std::to_string(running) + " running, " + std::to_string(done) + " done, " +
                       std::to_string(same) + " unchanged";
    if (hidden > 0) text += ", " + std::to_string(hidden) + " not shown";
    if (rows_.all().empty() && !rows_.status().empty()) text += "; " + rows_.status();
    return painter_.Paint(Style::kDim, text);
  }

  bool IsVisible(const Row& row, bool live) const {
    if (rows_.IsListed(row)) return true;
    return live && row.phase == RowPhase::kRunning && row.type != kRootStackType;
  }

  // Visible rows and their ancestors, children below their parents.
  std::vector<TreeLine> Tree(bool live) const {
    const std::vector<Row>& all = rows_.all();
    std::unordered_map<Urn, size_t> index;
    for (size_t i = 0; i < all.size(); ++i) index.emplace(all[i].urn, i);
    std::vector<bool> wanted(all.size(), false);
    for (size_t i = 0; i < all.size(); ++i) {
      if (!IsVisible(all[i], live)) continue;
      for (size_t at = i; !wanted[at];) {
        wanted[at] = true;
        const auto parent = index.find(all[at].parent);
        if (all[at].parent.empty() || parent == index.end()) break;
        at = parent->second;
      }
    }
    std::vector<std::vector<size_t>> children(all.size());
    std::vector<size_t> roots;
    for (size_t i = 0; i < all.size(); ++i) {
      if (!wanted[i]) continue;
      const auto parent = index.find(all[i].parent);
      const bool has_parent = !all[i].parent.empty() && parent != index.end() && parent->second != i;
      (has_parent ? children[parent->second] : roots).push_back(i);
    }

    std::vector<TreeLine> lines;
    for (size_t root : roots) AddLines(root, "", "", children, &lines);
    return lines;
  }

  void AddLines(size_t at, const std::string& branch, const std::string& below,
                const std::vector<std::vector<size_t>>& children, std::vector<TreeLine>* lines) const {
    lines->push_back({&rows_.all()[at], branch});
    constexpr size_t kDeepest = 256;  // bytes of indent; deeper trees are drawn flat
    const bool flat = below.size() > kDeepest;
    for (size_t i = 0; i < children[at].size(); ++i) {
      const bool last = i + 1 == children[at].size();
      AddLines(children[at][i], flat ? below : below + (last ? "└─ " : "├─ "),
               flat ? below : below + (last ? "   " : "│  "), children, lines);
    }
  }

  bool dirty_ = false;
  int drawn_lines_ = 0;
};

}  // namespace

std::unique_ptr<EventConsumer> NewTreeProgress(DisplayOptions options) {
  return std::make_unique<TreeProgress>(std::move(options));
}

}  // namespace kingpost
