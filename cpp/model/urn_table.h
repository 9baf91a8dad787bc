// SPDX-License-Identifier: Apache-2.0
// One text for each name of a document: a resource is named by all that depend on it. Not thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "model/urn.h"

namespace kingpost {

// A large document has more names than the processor's caches hold, so a lookup costs what it misses there: the slots
// are one array, and they hold the hashes.
class UrnTable {
 public:
  Urn Get(std::string_view text) {
    if (text.empty()) return Urn();
    if (used_ * 2 >= slots_.size()) Grow();
    const size_t hash = std::hash<std::string_view>()(text);
    Slot& slot = slots_[Find(hash, text)];
    if (slot.urn.empty()) {
      slot = {hash, Urn(std::string(text))};
      ++used_;
    }
    return slot.urn;
  }

 private:
  struct Slot {
    size_t hash = 0;
    Urn urn;  // empty: free
  };

  // Where the name is, or would be.
  size_t Find(size_t hash, std::string_view text) const {
    const size_t mask = slots_.size() - 1;
    size_t at = hash & mask;
    while (!slots_[at].urn.empty() && (slots_[at].hash != hash || slots_[at].urn.str() != text)) at = (at + 1) & mask;
    return at;
  }

  void Grow() {
    std::vector<Slot> before = std::move(slots_);
    slots_.assign(before.empty() ? 64 : before.size() * 2, Slot());
    for (Slot& slot : before) {
      if (!slot.urn.empty()) slots_[Find(slot.hash, slot.urn.str())] = std::move(slot);
    }
  }

  std::vector<Slot> slots_;  // a power of two, at most half of them used
  size_t used_ = 0;
};

}  // namespace kingpost
