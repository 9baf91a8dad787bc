// SPDX-License-Identifier: Apache-2.0
// Changes a field of a goal or a state, whatever its kind, for tests that go through the table of options.
#pragma once

#include <string>
#include <vector>

#include "model/resource.h"

namespace kingpost::testing {

inline Urn OtherUrn() { return Urn("urn:pulumi:dev::shop::pkg:m:Typ::other"); }

inline void MakeOther(bool* flag) { *flag = !*flag; }
inline void MakeOther(std::optional<bool>* flag) { *flag = !flag->value_or(false); }
inline void MakeOther(std::string* text) { *text += "other"; }
inline void MakeOther(Urn* urn) { *urn = OtherUrn(); }
inline void MakeOther(Value* value) { *value = Value("other"); }
inline void MakeOther(PropertyMap* map) { map->Set("other", Value(1)); }
inline void MakeOther(std::vector<std::string>* texts) { texts->push_back("other"); }
inline void MakeOther(std::vector<Urn>* urns) { urns->push_back(OtherUrn()); }
inline void MakeOther(std::vector<Alias>* aliases) { aliases->emplace_back().name = "other"; }
inline void MakeOther(std::map<std::string, std::string>* texts) { (*texts)["other"] = "text"; }
inline void MakeOther(PropertyDependencies* dependencies) { (*dependencies)["other"] = {OtherUrn()}; }
inline void MakeOther(CustomTimeouts* timeouts) { timeouts->delete_s += 300; }
inline void MakeOther(ResourceHooks* hooks) { hooks->of(HookKind::kBeforeUpdate).push_back("other"); }

template <class T>
bool SameField(const T& a, const T& b) {
  return a == b;
}
inline bool SameField(const Value& a, const Value& b) { return DeepEqual(a, b); }
inline bool SameField(const PropertyMap& a, const PropertyMap& b) { return DeepEqual(a, b); }
inline bool SameField(const std::vector<Alias>& a, const std::vector<Alias>& b) {
  const auto same = [](const Alias& x, const Alias& y) {
    return x.urn == y.urn && x.name == y.name && x.type == y.type && x.stack == y.stack && x.project == y.project &&
           x.parent_urn == y.parent_urn && x.no_parent == y.no_parent;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

}  // namespace kingpost::testing
