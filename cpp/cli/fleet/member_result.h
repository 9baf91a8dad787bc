// SPDX-License-Identifier: Apache-2.0
// The result of a member after a pass, and the functions that fill it: in this process, or in one that a worker of a
// cluster started.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/operations/operation_run.h"
#include "console/fleet/fleet_screen.h"
#include "operation/fleet/board.h"

namespace kingpost {

struct MemberResult {
  FleetOutcome outcome;
  bool changes = false;       // something was done, or would be; or be recorded otherwise
  bool has_changes = false;   // of resources
  std::vector<size_t> reads;  // other members
  std::string details;        // of a preview that may be asked about: every change
  std::string plan_json;      // with --strict and --save-plan
  std::string recorded_at;    // when the state that was previewed was written; "" if nobody is asked about it
  std::shared_ptr<SecretsManager> secrets;  // keeps its key, for those who come later
  fleet::Board::Times times;
  bool terminated = false, awaits = false;
};

void EndAs(FleetPhase phase, std::string why, MemberResult* result);

// A read of another member that got no answer.
struct UnansweredRead {
  std::string why;  // "'web/prod' failed"; "" if the fleet was stopped
};

// Fills *result. A member did not fail because of a read without an answer: it was stopped with the fleet, or is
// skipped as those are that never began.
void EndAsFailed(const RunOutcome& outcome, const Masking& masking, bool changed,
                 const std::optional<UnansweredRead>& unanswered, MemberResult* result);

// The operation for real, on a stack that is held. `unanswered` is asked when it has failed.
void ChangeMember(Session& session, const OperationFlags& flags, OperationSetup* setup,
                  const std::function<std::optional<UnansweredRead>()>& unanswered, MemberResult* result);

// Keeps the counts of a run.
class ChangeCounter : public EventSink {
 public:
  void Emit(const EngineEvent& event) override;
  std::map<std::string, int> changes;
};

// As a member that another process runs tells it, and the other way round.
std::string WriteMemberResult(const MemberResult& result);
void ReadMemberResult(const nlohmann::json& told, MemberResult* result);

}  // namespace kingpost
