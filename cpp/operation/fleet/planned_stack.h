// SPDX-License-Identifier: Apache-2.0
// What a stack would be after the operation that is previewed, as its events tell: what other stacks read of it while
// they are previewed, and whether it would be another one at all. One thread.
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

  // Something would be done, or recorded otherwise than it is.
  bool changes() const { return changes_; }
  // What the program exports would be something else.
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
