// SPDX-License-Identifier: Apache-2.0
// One plan of a watch: its steps as rows, what was said on the way, and how it differs from the plan before. Fed with
// the events of one preview, asked for texts. One thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "console/display/display_rows.h"
#include "console/display/message_formatter.h"
#include "console/display/progress.h"

namespace kingpost {

class PlanView : public EventSink {
 public:
  explicit PlanView(DisplayOptions options);

  void Emit(const EngineEvent& event) override;
  // After the last event.
  void Settle();

  // The messages, the changing steps as a tree, each with its reason or its properties if the options say so, errors,
  // outputs and counts. Whole lines. `columns` are the terminal's; 0 for any.
  std::string Text(int columns, bool as_diff) const;
  // The differences between this plan and the one before, with reasons; "" if they are the same.
  std::string ChangesSince(const PlanView& before) const;
  // Every step, property by property.
  std::string Details() const { return details_.Text(); }
  bool failed() const { return rows_.errored() > 0 || failed_; }

 private:
  struct Step {
    StepMetadata metadata;
    std::string text;  // property by property, without colours: what makes it the same as that of another plan
  };

  void Keep(const StepMetadata& step);
  std::string Line(const char* mark, const Step& step, const std::string& words, bool why) const;

  const DisplayOptions options_;
  const Painter painter_;
  DisplayRows rows_;
  MessageFormatter speech_;
  PreviewDetails details_;
  std::string said_;
  std::map<Urn, Step> steps_;  // those that change something
  bool failed_ = false;
};

}  // namespace kingpost
