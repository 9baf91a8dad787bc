// The tree in place, and above it what was said, as it is said.
#include <algorithm>

#include "cli/display/labels.h"
#include "cli/display/live_region.h"
#include "cli/display/output.h"
#include "cli/display/row_display.h"
#include "cli/display/row_tree.h"

namespace kingpost {

namespace {

constexpr int kLinesBelowTree = 3;  // the count, an empty line and the cursor's
constexpr int kSaidHanging = 2;     // of what is said and goes on in the next line
constexpr int kNarrowest = 20;      // where lines are still broken between words

// Of lines that stay, which the terminal may fold as it likes if it is too narrow for words.
int WrapColumns(TerminalSize size) { return std::max(size.columns, kNarrowest); }

class TreeProgress : public RowDisplay {
 public:
  explicit TreeProgress(DisplayOptions options) : RowDisplay(std::move(options)), region_(&output_) {}

  void Consume(const EngineEvent& event) override {
    if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
      downloads_.Apply(*progress);
    } else {
      said_ += speech_.Told(rows_.Apply(event, options_.now()), painter_);
    }
    dirty_ = true;
  }

  // What is said is shown at once; what else changes, with the next tick.
  void Pause() override {
    if (!said_.empty()) Draw();
  }

  void Tick() override {
    if (const std::string text = TakeInterruption(); !text.empty()) {
      speech_.Interrupt();
      said_ += text;
    }
    // Running times change even if nothing else does.
    if (dirty_ || !said_.empty() || AnyRunning() || !region_.IsDrawnFor(SizeOf(options_.fd))) Draw();
  }

  void Finish() override {
    const auto now = options_.now();
    const TerminalSize size = SizeOf(options_.fd);
    rows_.Settle(now);
    std::string last = region_.Erase(size) + TakeSaid(size);
    const std::vector<TreeLine> tree = TreeOf(rows_, [this](const Row& row) { return rows_.IsListed(row); });
    for (const std::string& line : TableLines(rows_, tree, {WrapColumns(size), false}, now, painter_))
      last += line + "\n";
    output_.Write(last + "\n" + WrapLines(rows_.Footer(painter_) + LeftPending(), WrapColumns(size), kSaidHanging));
  }

 private:
  bool AnyRunning() const {
    for (const Row& row : rows_.all()) {
      if (row.phase == RowPhase::kRunning) return true;
    }
    return false;
  }

  std::string TakeSaid(TerminalSize size) {
    std::string lines = WrapLines(said_, WrapColumns(size), kSaidHanging);
    said_.clear();
    return lines;
  }

  void Draw() {
    if (!output_.alive()) return;
    const TerminalSize size = SizeOf(options_.fd);
    std::vector<TreeLine> tree = TreeOf(rows_, [this](const Row& row) { return IsVisible(row); });
    const std::vector<std::string> downloads = downloads_.Lines(size.columns - 2);
    const int room = std::max(1, size.rows - kLinesBelowTree - downloads_.size());
    const int hidden = std::max(0, static_cast<int>(tree.size()) - room);
    if (hidden > 0) KeepMostImportant(&tree, room);
    std::vector<std::string> lines = TableLines(rows_, tree, {size.columns, true}, options_.now(), painter_);
    for (const std::string& line : downloads) lines.push_back(" " + line);
    lines.push_back(Truncate(Counts(hidden), size.columns - 1));
    region_.Draw(TakeSaid(size), lines, size);
    dirty_ = false;
  }

  // On a small screen what runs or failed matters most, then what came last.
  static void KeepMostImportant(std::vector<TreeLine>* tree, int room) {
    const auto end = std::stable_partition(tree->begin(), tree->end(), [](const TreeLine& line) {
      return line.row->phase == RowPhase::kRunning || line.row->phase == RowPhase::kFailed;
    });
    if (end - tree->begin() < room) tree->erase(end, tree->end() - (room - (end - tree->begin())));
    tree->resize(room);
    for (TreeLine& line : *tree) line.branch.clear();  // their parents may be missing
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

  bool IsVisible(const Row& row) const {
    return rows_.IsListed(row) || (row.phase == RowPhase::kRunning && row.type != kRootStackType);
  }

  LiveRegion region_;
  std::string said_;  // and not yet shown
  bool dirty_ = false;
};

}  // namespace

std::unique_ptr<EventConsumer> NewTreeProgress(DisplayOptions options) {
  return std::make_unique<TreeProgress>(std::move(options));
}

}  // namespace kingpost
