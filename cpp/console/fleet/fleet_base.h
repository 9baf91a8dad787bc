// SPDX-License-Identifier: Apache-2.0
// The part that all screens of a fleet share: the phase of each stack, and the lock.
#pragma once

#include <mutex>
#include <utility>

#include "console/fleet/fleet_text.h"

namespace kingpost {

class FleetScreenBase : public FleetScreen {
 protected:
  explicit FleetScreenBase(FleetScreenOptions show)
      : show_(std::move(show)), painter_(show_.color), rows_(show_.stacks.size()) {}

  struct Row {
    FleetPhase phase = FleetPhase::kPending;
    std::vector<std::string> waits_for;
    std::chrono::steady_clock::time_point begun{};
    FleetOutcome outcome;
  };

  const std::string& NameOf(size_t stack) const { return show_.stacks[stack].name; }
  std::vector<FleetOutcome> Outcomes() const {
    std::vector<FleetOutcome> outcomes;
    for (const Row& row : rows_) outcomes.push_back(row.outcome);
    return outcomes;
  }
  std::chrono::milliseconds Elapsed() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun_);
  }
  void Note(size_t stack, FleetPhase phase, std::vector<std::string> waits_for) {
    Row& row = rows_[stack];
    if (row.phase == FleetPhase::kPending) row.begun = std::chrono::steady_clock::now();
    row.phase = phase;
    row.waits_for = std::move(waits_for);
  }
  void Note(size_t stack, FleetOutcome outcome) {
    rows_[stack].phase = outcome.phase;
    rows_[stack].waits_for.clear();
    rows_[stack].outcome = std::move(outcome);
  }
  // The options of a display of one stack, which is shown as a part of this.
  DisplayOptions PartOf(size_t stack, std::shared_ptr<const Masking> masking, TextSink sink) const {
    DisplayOptions options;
    options.kind = show_.kind;
    options.preview = show_.preview;
    options.project = show_.stacks[stack].project;
    options.stack = show_.stacks[stack].stack;
    options.show = show_.show;
    options.color = show_.color;
    options.fd = show_.fd;
    options.masking = std::move(masking);
    options.sink = std::move(sink);
    options.is_part_of_fleet = true;
    return options;
  }

  const FleetScreenOptions show_;
  const Painter painter_;
  std::mutex mutex_;
  std::vector<Row> rows_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

std::unique_ptr<FleetScreen> NewFleetLines(FleetScreenOptions show);
std::unique_ptr<FleetScreen> NewFleetRows(FleetScreenOptions show);
std::unique_ptr<FleetScreen> NewFleetReport(FleetScreenOptions show);

}  // namespace kingpost
