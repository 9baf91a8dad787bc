// SPDX-License-Identifier: Apache-2.0
// The state of a stack as its preview leaves it, taken from the events. Other stacks read its outputs during their
// previews, and `changes` says whether the stack would change at all. One thread.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "kingpost/event.h"
#include "model/snapshot.h"

namespace kingpost::fleet {

class PlannedStack : public EventSink {
 public:
  explicit PlannedStack(std::shared_ptr<const Snapshot> base);

  void Emit(const EngineEvent& event) override;

  // True if a step would do something, or record something else.
  bool changes() const { return changes_; }
  // True if the program's exports would change.
  bool outputs_change() const { return outputs_change_; }
  // With known values, unknown ones, and secrets in clear that are marked as such.
  std::shared_ptr<const Snapshot> Planned() const;

 private:
  void Keep(const StatePtr& state);

  const std::shared_ptr<const Snapshot> base_;
  std::vector<StatePtr> resources_;  // null where one would be gone
  std::unordered_map<Urn, size_t> place_of_;
  bool changes_ = false, outputs_change_ = false;
};

}  // namespace kingpost::fleet
