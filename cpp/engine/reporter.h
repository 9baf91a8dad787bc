// SPDX-License-Identifier: Apache-2.0
// The reporter: turns what happens into events and counts. Owns the counters of the summary. Engine thread.
#pragma once

#include <map>
#include <string>

#include "decisions/rows.h"
#include "decisions/step.h"
#include "engine/providers/notices.h"
#include "kingpost/engine.h"

namespace kingpost::engine {

class Reporter : public providers::Notices {
 public:
  Reporter(EventSink* sink, const OperationOptions& options, const decisions::Rows& rows)
      : sink_(sink), options_(options), rows_(rows) {}

  void Error(const Urn& urn, const std::string& message) override;
  // An error that fails the run, whatever else goes well: what a rule of the user's or of ours does not allow.
  void Refuse(const Urn& urn, const std::string& message);
  void CountRefusal() { refused_ = true; }  // it has been told in another way
  bool refused() const { return refused_; }
  void Warning(const Urn& urn, const std::string& message) override;
  void Info(const Urn& urn, const std::string& message) override;
  void Log(Severity severity, const Urn& urn, const std::string& message, int stream_id, bool ephemeral);
  // Errors are reported once: a status that was reported already (bail) prints nothing.
  void Report(const Urn& urn, const Status& status);

  void StepBegan(const decisions::Step& step);
  void StepEnded(const decisions::Step& step);
  // `partial`: the operation has happened in part (row 5.6).
  void StepFailed(const decisions::Step& step, const Status& error, bool partial);
  // A component's outputs were registered.
  void OutputsRegistered(const decisions::Step& step);
  void Emit(const EngineEvent& event);

  const std::map<std::string, int>& changes() const { return changes_; }
  bool has_changes() const { return has_changes_; }
  bool maybe_corrupt() const { return maybe_corrupt_; }

 private:
  bool is_refresh_operation() const {
    return options_.kind == OperationKind::kRefresh || (options_.refresh && !options_.run_program);
  }
  void Count(StepOp op);
  StepMetadata Metadata(StepOp op, const decisions::Step& step, StatePtr new_state) const;
  StatePtr WithPendingDeleteMark(const StatePtr& old_state) const;

  EventSink* sink_;
  const OperationOptions& options_;
  const decisions::Rows& rows_;
  std::map<std::string, int> changes_;
  int steps_ = 0;
  bool has_changes_ = false;
  bool maybe_corrupt_ = false;
  bool refused_ = false;
};

}  // namespace kingpost::engine
