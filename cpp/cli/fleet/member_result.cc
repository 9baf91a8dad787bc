// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/member_result.h"

#include "base/json_access.h"
#include "cli/operations/operation.h"
#include "cli/session/stack_lifecycle.h"
#include "kingpost/create_outcome.h"
#include "operation/fleet/planned_stack.h"

namespace kingpost {

namespace {

struct PhaseName {
  FleetPhase phase;
  const char* name;
};
// Those in which a member that has run can be.
constexpr PhaseName kPhaseNames[] = {{FleetPhase::kUpdated, "updated"},
                                     {FleetPhase::kUnchanged, "unchanged"},
                                     {FleetPhase::kFailed, "failed"},
                                     {FleetPhase::kSkipped, "skipped"},
                                     {FleetPhase::kStopped, "stopped"}};

}  // namespace

void ChangeCounter::Emit(const EngineEvent& event) {
  if (const auto* summary = std::get_if<SummaryEvent>(&event)) changes = summary->resource_changes;
}

void EndAs(FleetPhase phase, std::string why, MemberResult* result) {
  result->outcome.phase = phase;
  result->outcome.why = std::move(why);
}

void EndAsFailed(const RunOutcome& outcome, const Masking& masking, bool changed,
                 const std::optional<UnansweredRead>& unanswered, MemberResult* result) {
  const Status& status = outcome.result.status;
  result->terminated = outcome.terminated;
  result->changes = changed;
  if (outcome.terminated) return EndAs(FleetPhase::kStopped, "operations in flight are pending", result);
  if (status.code() == Code::kCancelled) return EndAs(FleetPhase::kStopped, "", result);
  if (status.detail<AwaitFailed>()) {
    result->awaits = true;
    return EndAs(FleetPhase::kFailed, "some resources wait for something", result);
  }
  // An error of another resource is a failure of this stack, whatever it could not read.
  if (unanswered && (unanswered->why.empty() || !outcome.resource_failed)) {
    return EndAs(unanswered->why.empty() ? FleetPhase::kStopped : FleetPhase::kSkipped, unanswered->why, result);
  }
  EndAs(FleetPhase::kFailed, status.bail() ? outcome.first_error : masking.Text(status.message()), result);
}

void ChangeMember(Session& session, const OperationFlags& flags, OperationSetup* setup,
                  const std::function<std::optional<UnansweredRead>()>& unanswered, MemberResult* result) {
  fleet::PlannedStack done(setup->base);
  ChangeCounter counts;
  FanOut sinks;
  sinks.Add(&done);
  sinks.Add(&counts);
  EarlyProcesses early = EarlyProcesses::Fork(flags, setup->shared->forks.get(), *setup->project);
  const JournaledOutcome real = RunJournaledOnce(session, flags, setup, std::move(early), &sinks);
  result->outcome.changes = counts.changes;
  result->has_changes = real.run.result.has_changes;
  result->changes = result->has_changes || done.changes();
  if (!real.recorded.ok()) return EndAs(FleetPhase::kFailed, real.recorded.message(), result);
  if (!real.run.result.status.ok())
    return EndAsFailed(real.run, *setup->masking, result->changes, unanswered(), result);
  if (!real.released.ok()) return EndAs(FleetPhase::kFailed, real.released.message(), result);
  setup->held.reset();
  if (RemovesStack(flags, *setup, real.run)) {
    if (const Status removed = RemoveStack(session, setup->stack(), {}); !removed.ok()) {
      return EndAs(FleetPhase::kFailed, removed.message(), result);
    }
  }
  const bool shows = result->has_changes || done.outputs_change();
  EndAs(shows ? FleetPhase::kUpdated : FleetPhase::kUnchanged, "", result);
}

std::string WriteMemberResult(const MemberResult& result) {
  nlohmann::json json;
  for (const PhaseName& one : kPhaseNames) {
    if (one.phase == result.outcome.phase) json["phase"] = one.name;
  }
  json["why"] = result.outcome.why;
  json["counts"] = result.outcome.changes;
  json["changes"] = result.changes;
  json["has_changes"] = result.has_changes;
  json["terminated"] = result.terminated;
  json["awaits"] = result.awaits;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void ReadMemberResult(const nlohmann::json& told, MemberResult* result) {
  const std::string phase = TextOf(told, "phase");
  result->outcome.phase = FleetPhase::kFailed;
  for (const PhaseName& one : kPhaseNames) {
    if (phase == one.name) result->outcome.phase = one.phase;
  }
  result->outcome.why = TextOf(told, "why");
  result->outcome.changes.clear();
  const nlohmann::json counts = ObjectOf(told, "counts");
  for (const auto& [op, count] : counts.items()) result->outcome.changes[op] = static_cast<int>(IntegerIn(count));
  result->changes = BoolOf(told, "changes");
  result->has_changes = BoolOf(told, "has_changes");
  result->terminated = BoolOf(told, "terminated");
  result->awaits = BoolOf(told, "awaits");
}

}  // namespace kingpost
