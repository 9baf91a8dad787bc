// SPDX-License-Identifier: Apache-2.0
// The executor: runs chains of steps, so many at a time, and stops when it must (rows 5.2 to 5.11).
//
//   pre-step event -> intent recorded -> Apply -> secrets marked, published -> post-step event -> result recorded
//
// A chain's steps run in order; chains run side by side. After the first failure no further step begins, unless the
// run continues on errors. Owns nothing but its counters and the list of failed steps. Engine thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "decisions/step.h"
#include "engine/hooks.h"
#include "engine/providers/provider_registry.h"
#include "engine/recording.h"
#include "engine/reporter.h"
#include "engine/run_parts.h"
#include "engine/views.h"

namespace kingpost::engine {

class Executor {
 public:
  enum class Outcome { kDone, kFailed, kAwaits, kStopped };  // kAwaits: a step waits for something, and has not failed
  struct ChainResult {
    Outcome outcome = Outcome::kDone;
    StatePtr state;        // published by the chain's last step that published one
    size_t completed = 0;  // how many steps, from the first on
  };

  explicit Executor(const RunParts& parts);

  Task<ChainResult> Run(decisions::Chain chain);
  // Failures are counted but stop nothing (refresh, import).
  void set_ignore_errors(bool ignore) { ignore_errors_ = ignore; }

  // No further step begins.
  void Stop();
  bool stopped() const { return stopped_; }
  std::function<void()> on_stop;

  bool errored() const { return errored_; }
  const Status& first_error() const { return first_error_; }
  // An error after a step was done (an after-hook's): it fails the run but not the step.
  void RecordPostStepError(const Urn& urn, const Status& error);
  bool has_post_step_error() const { return post_step_error_; }
  // Some resource waits for something: no error, and yet the run has not done all that was asked (row 5.19).
  bool awaited() const { return awaited_; }

  // Asks the provider for the result of a create or an update, as in a preview; nullopt if it cannot say. Nothing is
  // told or recorded of it.
  Task<std::optional<PropertyMap>> Predict(decisions::StepPtr step);

  Task<Status> RegisterOutputs(decisions::StepPtr step, PropertyMap outputs);

 private:
  struct StepResult {
    Status status;
    bool partial = false;  // failed, but it happened in part and is recorded
    bool happened() const { return status.ok() || partial; }
  };

  Task<Outcome> RunStep(decisions::StepPtr step, StatePtr* published);
  Task<bool> Finish(decisions::StepPtr step, int64_t operation, StepResult applied, StatePtr* published);
  void ReportEnd(const decisions::Step& step, const StepResult& applied);
  Task<Status> RecordEnd(decisions::StepPtr step, int64_t operation, StepResult applied, StatePtr state);
  Task<bool> RunViewSteps(Urn owner);
  StatePtr Publish(const decisions::StepPtr& ended, bool happened);
  void MarkSecrets(State* state);  // seals outputs, and warns of what cannot be a secret
  void Failed(const Status& error);
  void FailRecording(const Urn& urn, const Status& error);

  // One function a kind of step, in apply_*.cc.
  Task<StepResult> Apply(decisions::StepPtr step);
  Task<StepResult> ApplySame(decisions::StepPtr step);
  Task<StepResult> ApplyCreate(decisions::StepPtr step);
  Task<StepResult> ApplyUpdate(decisions::StepPtr step);
  Task<StepResult> ApplyDelete(decisions::StepPtr step);
  Task<Status> CallDelete(decisions::StepPtr step);
  Task<StepResult> ApplyRead(decisions::StepPtr step);
  Task<StepResult> ApplyRefresh(decisions::StepPtr step);
  Task<StepResult> ApplyImport(decisions::StepPtr step);
  Task<Result<ReadResponse>> ReadForRefresh(decisions::StepPtr step, ProviderPtr provider);
  Task<Status> CompareRefreshed(decisions::StepPtr step, ProviderPtr provider, PropertyMap found);
  Task<Result<ReadResponse>> ReadForImport(decisions::StepPtr step);
  Task<Status> CheckPlannedImport(decisions::StepPtr step, PropertyMap read_inputs);
  Task<Result<CreateResponse>> CallCreate(decisions::StepPtr step);
  Task<Result<CreateResponse>> CreateOrComplete(decisions::StepPtr step, bool is_made);
  Task<Result<UpdateResponse>> CallUpdate(decisions::StepPtr step);
  // After a failure: true if the resource's error hooks ask for another try. `failures` grows, newest first.
  Task<Result<bool>> ShouldRetry(const State& owner, const State* old_state, const State* new_state,
                                 std::string failed_operation, Status error, std::vector<std::string>* failures);
  Result<ProviderPtr> ProviderOf(const decisions::Step& step) const;
  bool is_preview() const { return parts_.operation.options.preview; }
  std::string Now() const { return parts_.operation.environment.now_rfc3339(); }

  const RunParts parts_;
  Semaphore slots_;
  bool stopped_ = false;
  bool errored_ = false;
  bool ignore_errors_ = false;
  bool post_step_error_ = false;
  bool awaited_ = false;
  Status first_error_;
};

}  // namespace kingpost::engine
