// SPDX-License-Identifier: Apache-2.0
// One text for each name of a document: a resource is named by all that depend on it. Not thread-safe.
#pragma once

#include <string_view>
#include <unordered_set>

#include "model/urn.h"

namespace kingpost {

class UrnTable {
 public:
  Urn Get(std::string_view text) {
    const auto found = urns_.find(text);
    return found != urns_.end() ? *found : *urns_.emplace(std::string(text)).first;
  }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    size_t operator()(const Urn& urn) const { return (*this)(urn.str()); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(std::string_view text, const Urn& urn) const { return text == urn.str(); }
    bool operator()(const Urn& urn, std::string_view text) const { return text == urn.str(); }
    bool operator()(const Urn& a, const Urn& b) const { return a == b; }
  };
  std::unordered_set<Urn, Hash, Equal> urns_;
};

}  // namespace kingpost
