#include "cli/display/labels.h"
#include "cli/display/output.h"
#include "cli/display/row_display.h"

namespace kingpost {

namespace {

constexpr std::chrono::seconds kHeartbeat{20};

class PlainProgress : public RowDisplay {
 public:
  explicit PlainProgress(DisplayOptions options) : RowDisplay(std::move(options)) {}

  void Consume(const EngineEvent& event) override {
    if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
      const std::string line = downloads_.Apply(*progress);
      if (!line.empty() && !options_.show.suppress_progress) Print(line);
      return;
    }
    const auto now = DisplayClock::now();
    const RowChange change = rows_.Apply(event, now);
    if (!change.row || !change.ended || !rows_.IsListed(*change.row)) return;
    Print(*change.row, now);
  }

  // Says now and then what a long operation waits for.
  void Tick() override {
    if (options_.show.suppress_progress || options_.preview) return;
    const auto now = DisplayClock::now();
    for (Row& row : rows_.all()) {
      if (row.phase != RowPhase::kRunning || row.step.op == StepOp::kSame) continue;
      if (now - row.started < kHeartbeat || now - row.ended < kHeartbeat) continue;
      row.ended = now;  // of the last heartbeat, until it ends
      Print(row, now);
    }
  }

  void Finish() override {
    const auto now = DisplayClock::now();
    for (const Row* row : rows_.Settle(now)) {
      if (rows_.IsListed(*row)) Print(*row, now);
    }
    output_.Write((printed_ ? "\n" : "") + rows_.Footer(painter_));
  }

 private:
  void Print(const Row& row, DisplayClock::time_point now) { Print(" " + rows_.Line(row, now, painter_)); }
  void Print(const std::string& line) {
    output_.Write(line + "\n");
    printed_ = true;
  }

  bool printed_ = false;
};

}  // namespace

std::unique_ptr<EventConsumer> NewPlainProgress(DisplayOptions options) {
  return std::make_unique<PlainProgress>(std::move(options));
}

}  // namespace kingpost
