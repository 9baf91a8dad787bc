// SPDX-License-Identifier: Apache-2.0
// Requests about resources: registrations, reads and outputs, from their arrival to their answer (groups 3 and 4).
//
// A registration is one coroutine (registration.h). Registrations overlap wherever they wait. Two places are one at a
// time: the claim of a URN (no waiting inside), and the choice of steps (choice_queue.h). A state migration is alone
// (request_barrier.h).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/registration.h"

namespace kingpost::engine {

struct ReadGoal : DeclaredFields {
  std::string id, name;
};

class ResourceRequests {
 public:
  explicit ResourceRequests(const ResourceRequestParts& parts);

  // A failed Status has been reported already, and the run has been stopped.
  Task<Result<ResourceAnswer>> Register(std::shared_ptr<Goal> goal, std::optional<Parameterization> extension,
                                        std::vector<Callback> state_migrations = {});
  Task<Result<ResourceAnswer>> Read(ReadGoal goal);
  Task<Status> RegisterOutputs(Urn urn, PropertyMap outputs);

  StepGate& gate() { return gate_; }

  // The root stack's outputs, registered but held back until the end of the run.
  const std::optional<PropertyMap>& stack_outputs() const { return stack_outputs_; }
  Task<Status> FinishStackOutputs(bool errored);

  // An error that is not of a step: reports it once and stops the run.
  Status Fail(const Urn& urn, const Status& status);
  bool failed() const { return failed_; }
  // No step begins any more.
  bool stopped() const { return parts_.executor.stopped(); }

 private:
  Task<Result<ResourceAnswer>> ReadClaimed(Urn urn, ReadGoal goal);
  Task<Status> CompleteOutputs(Urn urn, PropertyMap outputs, bool final_stack_outputs, bool errored);

  const ResourceRequestParts parts_;
  Identity identity_;
  ChoiceQueue choices_;
  StepGate gate_;
  Chains chains_;
  RequestBarrier standstill_;
  const RegistrationParts registration_parts_;
  std::optional<PropertyMap> stack_outputs_;
  Urn stack_urn_;
  bool failed_ = false;
};

}  // namespace kingpost::engine
