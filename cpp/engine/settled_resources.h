// SPDX-License-Identifier: Apache-2.0
// The resources that an invoke has to wait for (row 1.27). Engine thread.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/loop.h"
#include "model/resource.h"

namespace kingpost::engine {

class SettledResources {
 public:
  explicit SettledResources(Loop& loop) : loop_(loop) {}

  // A registration below `parent` (may be empty) has begun; it ends when the mark is destroyed.
  class [[nodiscard]] InFlight {
   public:
    InFlight(SettledResources* owner, Urn parent) : owner_(owner), parent_(std::move(parent)) {}
    InFlight(const InFlight&) = delete;
    ~InFlight() { owner_->Leave(parent_); }

   private:
    SettledResources* owner_;
    Urn parent_;
  };
  InFlight Enter(const Urn& parent);

  void Settle(const Urn& urn, const Urn& parent, bool custom, const std::string& id);

  // Waits for registrations below each root, goes through components down to custom resources, and answers true if
  // one of these has no known ID.
  Task<bool> HasUnresolved(std::vector<Urn> roots);

 private:
  struct Below {
    int count = 0;
    std::shared_ptr<Event> none;  // set when count is back at 0
  };
  struct Resource {
    bool custom = false;
    std::string id;
  };
  void Leave(const Urn& parent);

  Loop& loop_;
  std::unordered_map<Urn, Below> in_flight_;
  std::unordered_map<Urn, Resource> resources_;
  std::unordered_map<Urn, std::vector<Urn>> children_;
};

}  // namespace kingpost::engine
