// SPDX-License-Identifier: Apache-2.0
// A row for each stack on a terminal. What runs unfolds into the resources that are under way; a stack that changed or
// failed is told whole, above the rows, when it ends. A thread of its own draws.
#include <condition_variable>
#include <optional>
#include <thread>

#include "console/display/display_rows.h"
#include "console/display/labels.h"
#include "console/display/live_region.h"
#include "console/display/message_formatter.h"
#include "console/display/row_tree.h"
#include "console/display/wait_reminder.h"
#include "console/fleet/fleet_base.h"

namespace kingpost {

namespace {

constexpr std::chrono::milliseconds kFrameInterval{100};
constexpr int kOtherRows = 5;    // the titles, the count, the cursor's line
constexpr int kUnfoldedMax = 4;  // resources below a stack while it runs
constexpr int kNarrowestLine = 20;

class FleetRows : public FleetScreenBase {
 public:
  explicit FleetRows(FleetScreenOptions show) : FleetScreenBase(std::move(show)), output_(show_.fd), region_(&output_) {
    parts_.resize(rows_.size());
    for (const auto& stack : show_.stacks) width_ = std::max(width_, DisplayWidth(stack.name));
    output_.Write(painter_.Paint(Style::kMagenta, painter_.Bold(FleetTitle(show_))) + "\n\n");
    thread_ = std::thread([this] { DrawUntilTheEnd(); });
  }
  ~FleetRows() override { EndDrawing(); }

  std::unique_ptr<EventConsumer> Display(size_t stack, std::shared_ptr<const Masking> masking) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    parts_[stack] = std::make_unique<Part>(PartOf(stack, std::move(masking), nullptr));
    return std::make_unique<Events>(this, stack);
  }

  void Changed(size_t stack, FleetPhase phase, std::vector<std::string> waits_for) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    Note(stack, phase, std::move(waits_for));
    dirty_ = true;
  }

  void Ended(size_t stack, FleetOutcome outcome) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    Note(stack, std::move(outcome));
    TellWhole(stack);
    parts_[stack].reset();
    dirty_ = true;
  }

  void Say(size_t stack, const std::string& text) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    Tell(stack, text);
  }

  void Finish() override {
    EndDrawing();
    const std::lock_guard<std::mutex> lock(mutex_);
    const TerminalSize size = SizeOf(show_.fd);
    const std::string erased = region_.Erase(size);
    output_.Write(erased + TakeAbove(size) + (told_ ? "\n" : "") +
                  FleetTable(show_, Outcomes(), ColumnsFor(size), Elapsed()));
  }

 private:
  // The rows and messages of a stack while it runs.
  struct Part {
    explicit Part(DisplayOptions given)
        : options(std::move(given)),
          rows(options.show, options.preview, options.masking.get(), options.StackResource()),
          speech(options.StackResource()) {}
    const DisplayOptions options;
    DisplayRows rows;
    MessageFormatter speech;
  };

  class Events : public EventConsumer {
   public:
    Events(FleetRows* screen, size_t stack) : screen_(screen), stack_(stack) {}
    void Consume(const EngineEvent& event) override { screen_->Take(stack_, event); }

   private:
    FleetRows* const screen_;
    const size_t stack_;
  };

  static int ColumnsFor(TerminalSize size) { return std::max(size.columns, kNarrowestLine); }

  void Take(size_t stack, const EngineEvent& event) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Part* const part = parts_[stack].get();
    if (!part || std::holds_alternative<ProgressEvent>(event)) return;
    const RowChange change = part->rows.Apply(event, std::chrono::steady_clock::now());
    Tell(stack, part->speech.FormatMessage(change, painter_));
    dirty_ = true;
  }

  // Lines that stay, each with the stack's name.
  void Tell(size_t stack, const std::string& text) {
    size_t begin = 0;
    while (begin < text.size()) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      if (end > begin) {
        above_ += painter_.Paint(Style::kDim, NameOf(stack) + " |") + " " + text.substr(begin, end - begin) + "\n";
      }
      begin = end + 1;
    }
    dirty_ = true;
  }

  void TellWhole(size_t stack) {
    const Row& row = rows_[stack];
    if (row.phase == FleetPhase::kUnchanged || row.phase == FleetPhase::kPending) return;
    above_ += HeadOf(stack, row) + "\n";
    if (!row.outcome.why.empty()) above_ += "    " + row.outcome.why + "\n";
    Part* const part = parts_[stack].get();
    if (!part) return;
    const auto now = std::chrono::steady_clock::now();
    part->rows.Settle(now);
    const auto tree = TreeOf(part->rows, [part](const DisplayRow& one) { return part->rows.IsListed(one); });
    const TableStyle look{ColumnsFor(SizeOf(show_.fd)) - 4, false, "", true};
    for (const std::string& line : TableLines(part->rows, tree, look, now, painter_)) above_ += "    " + line + "\n";
    std::string footer = part->rows.Footer(painter_, true, false);
    while (footer.ends_with('\n')) footer.pop_back();
    if (!footer.empty()) above_ += "\n" + Indented(footer, 4);
    above_ += '\n';
  }

  std::string HeadOf(size_t stack, const Row& row) const {
    std::string line = PhaseMark(row.phase, painter_) + painter_.Bold(NameOf(stack)) + "  " +
                       PhaseWord(row.phase, show_.kind, show_.preview);
    const std::string changes = ChangesText(row.outcome.changes, painter_);
    if (!changes.empty()) line += "  " + changes;
    if (row.outcome.took.count() > 0) {
      line += "  (" + ShortDuration(std::chrono::duration<double>(row.outcome.took).count()) + ")";
    }
    return line;
  }

  std::string TakeAbove(TerminalSize size) {
    std::string lines = WrapLines(above_, ColumnsFor(size), 4);
    told_ = told_ || !above_.empty();
    above_.clear();
    return lines;
  }

  void DrawUntilTheEnd() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!wake_.wait_for(lock, kFrameInterval, [this] { return ended_; })) {
      TakeNotices();
      if (output_.alive()) Draw();
    }
  }

  void EndDrawing() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  // Adds notices of interrupts, and of services that do not answer.
  void TakeNotices() {
    const int number = show_.interruptions();
    if (number != interruptions_told_) {
      interruptions_told_ = number;
      above_ += painter_.Paint(Style::kYellow,
                               number == 1 ? "Interrupted: running steps end in all stacks, and no other "
                                             "step begins. A second interrupt stops at once and leaves operations "
                                             "pending."
                                           : "Interrupted again: stopping now; operations in flight are pending.") +
                "\n";
    }
    if (const std::string text = reminder_.Take(LongestWait(), std::chrono::steady_clock::now()); !text.empty()) {
      above_ += painter_.Paint(Style::kYellow, text) + "\n";
    }
  }

  void Draw() {
    const TerminalSize size = SizeOf(show_.fd);
    const std::string above = TakeAbove(size);
    std::vector<std::string> lines;
    int hidden = 0, running = 0, waiting = 0, pending = 0, ended = 0;
    const size_t room = static_cast<size_t>(std::max(1, size.rows - kOtherRows));
    for (const FleetPhase wanted : {FleetPhase::kRunning, FleetPhase::kWaiting}) {
      for (size_t stack = 0; stack < rows_.size(); ++stack) {
        if (rows_[stack].phase != wanted) continue;
        lines.size() < room ? Unfold(stack, room, &lines) : (void)++hidden;
      }
    }
    for (size_t stack = 0; stack < rows_.size() && lines.size() < room; ++stack) {
      const std::string first = rows_[stack].phase == FleetPhase::kPending ? ComesAfterText(stack) : "";
      if (first.empty()) continue;
      lines.push_back("   " + PadRight(NameOf(stack), width_) + "  " + painter_.Paint(Style::kDim, first));
    }
    for (const Row& row : rows_) {
      int& count = row.phase == FleetPhase::kRunning   ? running
                   : row.phase == FleetPhase::kWaiting ? waiting
                   : row.phase == FleetPhase::kPending ? pending
                                                       : ended;
      ++count;
    }
    for (std::string& line : lines) line = Truncate(line, size.columns - 1);
    std::string sum = " " + std::to_string(running) + " running, " + std::to_string(waiting) + " waiting, " +
                      std::to_string(pending) + " to come, " + std::to_string(ended) + " of " +
                      std::to_string(rows_.size()) + " done";
    if (hidden > 0) sum += ", " + std::to_string(hidden) + " not shown";
    lines.push_back(painter_.Paint(Style::kDim, Truncate(sum, size.columns - 1)));
    region_.Draw(above, lines, size);
    dirty_ = false;
  }

  // "after network/prod and 1 more", for one whose turn has not come; "" if it waits for a slot only.
  std::string ComesAfterText(size_t stack) const {
    std::vector<std::string> names;
    for (const size_t other : show_.stacks[stack].comes_after) {
      const FleetPhase phase = rows_[other].phase;
      const bool over = phase != FleetPhase::kPending && phase != FleetPhase::kRunning && phase != FleetPhase::kWaiting;
      if (!over) names.push_back(NameOf(other));
    }
    return names.empty() ? ""
                         : "after " + names.front() +
                               (names.size() == 1 ? "" : " and " + std::to_string(names.size() - 1) + " more");
  }

  // The stack, and below it the resources that are under way or have failed.
  void Unfold(size_t stack, size_t room, std::vector<std::string>* lines) const {
    const Row& row = rows_[stack];
    const auto now = std::chrono::steady_clock::now();
    const Part* const part = parts_[stack].get();
    std::string line = " " + PhaseMark(row.phase, painter_) + PadRight(NameOf(stack), width_) + "  ";
    if (row.phase == FleetPhase::kWaiting) {
      line += painter_.Paint(Style::kYellow, WaitText(row.waits_for));
    } else {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - row.begun);
      line += PhaseWord(row.phase, show_.kind, show_.preview) + (" (" + RoundDuration(seconds) + ")");
      if (part && part->rows.all().empty() && !part->rows.status().empty()) line += "; " + part->rows.status();
    }
    if (part) {
      const RowCounts& counts = part->rows.counts();
      if (counts.done > 0) line += "  " + std::to_string(counts.done) + (show_.preview ? " to change" : " changed");
      if (counts.unchanged > 0) line += ", " + std::to_string(counts.unchanged) + " unchanged";
    }
    lines->push_back(line);
    if (!part) return;
    int shown = 0;
    for (const DisplayRow& one : part->rows.all()) {
      const bool matters = one.phase == RowPhase::kFailed || one.phase == RowPhase::kRunning;
      if (!matters || one.type == kRootStackType || !part->rows.IsListed(one)) continue;
      if (shown++ == kUnfoldedMax || lines->size() >= room) break;
      lines->push_back("      " + part->rows.Line(one, now, painter_));
    }
  }

  Output output_;
  LiveRegion region_;
  WaitReminder reminder_;
  int width_ = 0;
  std::vector<std::unique_ptr<Part>> parts_;  // by stack; of those that run
  std::string above_;                         // lines that stay, not yet shown
  bool told_ = false, dirty_ = true, ended_ = false;
  int interruptions_told_ = 0;
  const LiveDisplayScope drawn_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<FleetScreen> NewFleetRows(FleetScreenOptions show) {
  return std::make_unique<FleetRows>(std::move(show));
}

}  // namespace kingpost
