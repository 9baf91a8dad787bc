// SPDX-License-Identifier: Apache-2.0
// The tree in place, and above it what was said, as it is said.
//
// The cost of an event does not grow with the number of rows: it moves its row in or out of two sets. A frame, at most
// every kFrame, draws as much as the screen has room for.
#include <algorithm>
#include <atomic>
#include <set>

#include "console/display/labels.h"
#include "console/display/live_region.h"
#include "console/display/output.h"
#include "console/display/row_display.h"
#include "console/display/row_tree.h"
#include "console/display/wait_reminder.h"

namespace kingpost {

namespace {

constexpr int kOtherLines = 5;  // a gap and the titles above the rows, the count, an empty line and the cursor's below
constexpr size_t kTreeMax = 500;  // rows up to here are drawn as a tree; of more, those that fit are drawn flat
constexpr std::chrono::milliseconds kFrame{80};
constexpr int kSaidHanging = 2;  // of what is said and goes on in the next line
constexpr int kNarrowest = 20;   // where lines are still broken between words

// Prints lines that stay. A terminal that is too narrow for words may fold them.
int WrapColumns(TerminalSize size) { return std::max(size.columns, kNarrowest); }

std::atomic<int> trees_shown{0};

class TreeProgress : public RowDisplay {
 public:
  explicit TreeProgress(DisplayOptions options) : RowDisplay(std::move(options)), region_(&output_) {}

  void Consume(const EngineEvent& event) override {
    if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
      downloads_.Apply(*progress);
    } else {
      const RowChange change = rows_.Apply(event, options_.now());
      said_ += speech_.FormatMessage(change, painter_);
      if (change.row) Place(*change.row);
    }
    dirty_ = true;
  }

  // Messages are shown at once, or with the next frame if they come close together; other changes, with the next tick.
  void Pause() override {
    if (!said_.empty() && (!drawn_at_ || options_.now() - *drawn_at_ >= kFrame)) Draw();
  }

  void Tick() override {
    if (const std::string text = TakeInterruption(); !text.empty()) {
      speech_.Interrupt();
      said_ += text;
    }
    if (const std::string text = reminder_.Take(options_.waits(), options_.now()); !text.empty()) {
      speech_.Interrupt();
      said_ += painter_.Paint(Style::kYellow, text) + "\n";
    }
    // Running times change even if nothing else does.
    if (dirty_ || !said_.empty() || rows_.counts().running > 0 || !region_.IsDrawnFor(SizeOf(options_.fd))) Draw();
  }

  void Finish() override {
    const auto now = options_.now();
    const TerminalSize size = SizeOf(options_.fd);
    rows_.Settle(now);
    std::string last = region_.Erase(size) + TakeSaid(size);
    const std::vector<TreeLine> tree = TreeOf(rows_, [this](const DisplayRow& row) { return rows_.IsListed(row); });
    if (has_said_ && !tree.empty()) last += '\n';
    const TableStyle look{WrapColumns(size), false, StateTitle(), true};
    for (const std::string& line : TableLines(rows_, tree, look, now, painter_)) last += line + "\n";
    if (has_said_ || !tree.empty()) last += '\n';
    output_.Write(last + WrapLines(rows_.Footer(painter_) + LeftPending(), WrapColumns(size), kSaidHanging));
  }

 private:
  // Into the sets of those that are shown while it runs.
  void Place(const DisplayRow& row) {
    const bool runs = row.phase == RowPhase::kRunning && row.type != kRootStackType;
    const auto keep = [&](bool in, std::set<size_t>* places) {
      in ? (void)places->insert(row.place) : (void)places->erase(row.place);
    };
    keep(runs || row.phase == RowPhase::kFailed || row.phase == RowPhase::kAwaited, &urgent_);
    keep(runs || rows_.IsListed(row), &visible_);
  }

  std::string TakeSaid(TerminalSize size) {
    std::string lines = WrapLines(said_, WrapColumns(size), kSaidHanging);
    has_said_ = has_said_ || !said_.empty();
    said_.clear();
    return lines;
  }

  void Draw() {
    if (!output_.alive()) return;
    const TerminalSize size = SizeOf(options_.fd);
    const std::string above = TakeSaid(size);
    const std::vector<std::string> downloads = downloads_.Lines(size.columns - 2);
    const int room = std::max(1, size.rows - kOtherLines - downloads_.size());
    const std::vector<TreeLine> tree = Shown(static_cast<size_t>(room));
    const size_t hidden = visible_.size() - std::min(visible_.size(), tree.size());
    const TableStyle look{size.columns, true, StateTitle()};
    std::vector<std::string> lines = TableLines(rows_, tree, look, options_.now(), painter_);
    if (has_said_ && !lines.empty()) lines.insert(lines.begin(), "");
    for (const std::string& line : downloads) lines.push_back(" " + line);
    lines.push_back(Truncate(CountsText(hidden), size.columns - 1));
    region_.Draw(above, lines, size);
    drawn_at_ = options_.now();
    dirty_ = false;
  }

  // The whole tree where there is room for it. On a small screen what runs or failed matters most, then what came last;
  // these stand without branches, because their parents may be missing.
  std::vector<TreeLine> Shown(size_t room) const {
    if (rows_.all().size() <= std::max(room, kTreeMax)) {
      std::vector<TreeLine> tree =
          TreeOf(rows_, [this](const DisplayRow& row) { return visible_.count(row.place) > 0; });
      if (tree.size() <= room) return tree;
    }
    std::set<size_t> places;
    for (auto at = urgent_.begin(); at != urgent_.end() && places.size() < room; ++at) places.insert(*at);
    for (auto at = visible_.rbegin(); at != visible_.rend() && places.size() < room; ++at) places.insert(*at);
    std::vector<TreeLine> lines;
    for (const size_t place : places) lines.push_back({&rows_.all()[place], ""});
    return lines;
  }

  const char* StateTitle() const { return options_.preview ? "Plan" : "Status"; }

  std::string CountsText(size_t hidden) const {
    const RowCounts& counts = rows_.counts();
    std::string text = " " + std::to_string(counts.running) + " running, " + std::to_string(counts.done) + " done, " +
                       std::to_string(counts.unchanged) + " unchanged";
    if (hidden > 0) text += ", " + std::to_string(hidden) + " not shown";
    if (rows_.all().empty() && !rows_.status().empty()) text += "; " + rows_.status();
    return painter_.Paint(Style::kDim, text);
  }

  const LiveDisplayScope drawn_;
  LiveRegion region_;
  WaitReminder reminder_;
  std::set<size_t> urgent_, visible_;  // places of rows: what runs or failed, what is shown where there is room
  std::string said_;                   // and not yet shown
  bool has_said_ = false;
  std::optional<DisplayClock::time_point> drawn_at_;
  bool dirty_ = false;
};

}  // namespace

LiveDisplayScope::LiveDisplayScope() { ++trees_shown; }
LiveDisplayScope::~LiveDisplayScope() { --trees_shown; }

bool IsLiveDisplayShown() { return trees_shown > 0; }

std::unique_ptr<EventConsumer> NewTreeProgress(DisplayOptions options) {
  return std::make_unique<TreeProgress>(std::move(options));
}

}  // namespace kingpost
