// SPDX-License-Identifier: Apache-2.0
// Puts a list of states in order again, and takes out references that lead nowhere (rows 6.4 and 7.21).
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "model/references.h"
#include "model/snapshot.h"

namespace kingpost {
namespace {

// Depth first, without recursion: a chain of parents may be as long as the list.
class Sorter {
 public:
  explicit Sorter(const std::vector<StatePtr>& resources) : resources_(resources), marks_(resources.size()) {
    for (size_t i = 0; i < resources.size(); ++i) {
      Entries& entries = entries_[resources[i]->urn.str()];
      (resources[i]->pending_delete ? entries.deleted : entries.live).push_back(i);
    }
  }

  Result<std::vector<StatePtr>> Run() {
    for (size_t i = 0; i < resources_.size(); ++i) {
      if (marks_[i] != Mark::kNew) continue;
      if (Status status = Visit(i); !status.ok()) return status;
    }
    return std::move(sorted_);
  }

 private:
  enum class Mark : char { kNew, kOpen, kDone };
  struct Entries {
    std::vector<size_t> live, deleted;
  };
  struct Frame {
    size_t index;
    std::vector<size_t> next;  // what must come first, last one next
  };

  Status Visit(size_t start) {
    std::vector<Frame> path;
    if (Status status = Open(start, &path); !status.ok()) return status;
    while (!path.empty()) {
      Frame& top = path.back();
      if (top.next.empty()) {
        marks_[top.index] = Mark::kDone;
        sorted_.push_back(resources_[top.index]);
        path.pop_back();
        continue;
      }
      const size_t index = top.next.back();
      top.next.pop_back();
      if (marks_[index] == Mark::kDone) continue;
      if (marks_[index] == Mark::kOpen) return Cycle(path, index);
      if (Status status = Open(index, &path); !status.ok()) return status;
    }
    return Status::Ok();
  }

  Status Open(size_t index, std::vector<Frame>* path) {
    const State& state = *resources_[index];
    marks_[index] = Mark::kOpen;
    Frame frame{index, {}};
    if (!state.provider.empty()) {
      auto reference = ProviderReference::Parse(state.provider);
      if (!reference.ok()) {
        return Status(Code::kDataLoss, "failed to parse provider reference for resource " + state.urn.str() + ": " +
                                           reference.status().message());
      }
      AddProvider(*reference, index, &frame.next);
    }
    ForEachReference(state, [&](ReferenceKind, const Urn& urn, const std::string&) { Add(urn, index, &frame.next); });
    std::reverse(frame.next.begin(), frame.next.end());
    path->push_back(std::move(frame));
    return Status::Ok();
  }

  // The provider with this ID, whether it waits for its deletion or not.
  void AddProvider(const ProviderReference& reference, size_t from, std::vector<size_t>* next) const {
    const auto found = entries_.find(reference.urn.str());
    if (found == entries_.end()) return;
    for (const auto* entries : {&found->second.live, &found->second.deleted}) {
      for (size_t index : *entries) {
        if (resources_[index]->id != reference.id) continue;
        next->push_back(index);
        return;
      }
    }
    Add(reference.urn, from, next);
  }

  // Which of the states called `urn` the one at `from` means. A live one means a live one. One that waits for its
  // deletion was recorded when the others that wait were alive, and means the last of those before it.
  void Add(const Urn& urn, size_t from, std::vector<size_t>* next) const {
    const auto found = entries_.find(urn.str());
    if (found == entries_.end()) return;
    const auto& [live, deleted] = found->second;
    const bool take_live = !live.empty() && (deleted.empty() || !resources_[from]->pending_delete);
    const std::vector<size_t>& candidates = take_live ? live : deleted;
    const auto after = std::lower_bound(candidates.begin(), candidates.end(), from);
    next->push_back(after == candidates.begin() ? *after : *(after - 1));
  }

  Status Cycle(const std::vector<Frame>& path, size_t index) const {
    std::string message = "snapshot has cyclic dependencies: ";
    auto at = std::find_if(path.begin(), path.end(), [&](const Frame& frame) { return frame.index == index; });
    for (; at != path.end(); ++at) message += resources_[at->index]->urn.str() + " needs ";
    return Status(Code::kDataLoss, message + resources_[index]->urn.str());
  }

  const std::vector<StatePtr>& resources_;
  std::vector<Mark> marks_;
  std::unordered_map<std::string_view, Entries> entries_;
  std::vector<StatePtr> sorted_;
};

// Parents and grandparents of what is gone, until one that is there. `removed` comes from outside and may have cycles.
Urn NearestSurvivor(Urn parent, const std::unordered_set<std::string_view>& present,
                    const std::map<Urn, StatePtr>& removed) {
  for (size_t steps = 0; steps <= removed.size() && !parent.empty() && !present.count(parent.str()); ++steps) {
    const auto found = removed.find(parent);
    parent = found == removed.end() ? Urn() : found->second->parent;
  }
  return present.count(parent.str()) ? parent : Urn();
}

}  // namespace

Result<std::vector<StatePtr>> TopologicalSort(const std::vector<StatePtr>& resources) {
  return Sorter(resources).Run();
}

std::vector<StatePtr> DropEmptyPropertyDependencies(std::vector<StatePtr> resources) {
  const auto is_empty = [](const auto& entry) { return entry.second.empty(); };
  for (StatePtr& state : resources) {
    const PropertyDependencies& dependencies = state->property_dependencies;
    if (std::none_of(dependencies.begin(), dependencies.end(), is_empty)) continue;
    auto next = std::make_shared<State>(*state);
    std::erase_if(next->property_dependencies.Own(), is_empty);
    state = std::move(next);
  }
  return resources;
}

std::vector<StatePtr> DropDanglingReferences(const std::vector<StatePtr>& resources,
                                             const std::map<Urn, StatePtr>& removed) {
  std::vector<StatePtr> repaired;
  repaired.reserve(resources.size());
  std::unordered_set<std::string_view> present;
  for (const StatePtr& state : resources) {
    const auto dangles = [&](const Urn& urn) { return !present.count(urn.str()); };
    bool any = false;
    ForEachReference(*state, [&](ReferenceKind, const Urn& urn, const std::string&) { any = any || dangles(urn); });
    if (any) {
      auto next = std::make_shared<State>(*state);
      next->parent = NearestSurvivor(state->parent, present, removed);
      std::erase_if(next->dependencies, dangles);
      std::erase_if(next->replace_with, dangles);
      PropertyDependencies::Entries& by_property = next->property_dependencies.Own();
      for (auto& [key, urns] : by_property) std::erase_if(urns, dangles);
      std::erase_if(by_property, [](const auto& entry) { return entry.second.empty(); });
      if (dangles(next->deleted_with)) next->deleted_with = Urn();
      repaired.push_back(std::move(next));
    } else {
      repaired.push_back(state);
    }
    present.insert(state->urn.str());  // only now: nothing may refer to itself
  }
  return repaired;
}

}  // namespace kingpost
