// SPDX-License-Identifier: Apache-2.0
#include "engine/settled_resources.h"

#include <unordered_set>

namespace kingpost::engine {

SettledResources::InFlight SettledResources::Enter(const Urn& parent) {
  Below& below = in_flight_[parent];
  if (below.count++ == 0) below.none = std::make_shared<Event>(loop_);
  return InFlight(this, parent);
}

void SettledResources::Leave(const Urn& parent) {
  auto found = in_flight_.find(parent);
  if (--found->second.count > 0) return;
  found->second.none->Set();
  in_flight_.erase(found);
}

void SettledResources::Settle(const Urn& urn, const Urn& parent, bool custom, const std::string& id) {
  resources_[urn] = {custom, id};
  if (!parent.empty()) children_[parent].push_back(urn);
}

Task<bool> SettledResources::HasUnresolved(std::vector<Urn> roots) {
  std::unordered_set<Urn> seen;
  while (!roots.empty()) {
    const Urn urn = roots.back();
    roots.pop_back();
    if (!seen.insert(urn).second) continue;
    auto below = in_flight_.find(urn);
    if (below != in_flight_.end()) {
      std::shared_ptr<Event> none = below->second.none;
      co_await *none;
    }
    auto resource = resources_.find(urn);
    if (resource != resources_.end() && resource->second.custom) {
      if (resource->second.id.empty() || resource->second.id == kUnknownString) co_return true;
      continue;
    }
    auto children = children_.find(urn);
    if (children != children_.end()) roots.insert(roots.end(), children->second.begin(), children->second.end());
  }
  co_return false;
}

}  // namespace kingpost::engine
