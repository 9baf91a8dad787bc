// SPDX-License-Identifier: Apache-2.0
// The differences between two property maps, and between two snapshots: leaves by their paths. A value that is secret,
// or part of a secret, stays one; a value that becomes secret, or ceases to be, differs.
#include <map>
#include <set>

#include "bindings/library.h"
#include "bindings/library_snapshot.h"
#include "bindings/resource_fields.h"
#include "bindings/values.h"
#include "model/property_path.h"
#include "model/resource_fields.h"
#include "model/value_diff.h"

namespace kingpost::python {

namespace py = pybind11;

namespace {

class LeafDiffer {
 public:
  void Objects(const PropertyMap& old_map, const PropertyMap& new_map) {
    for (const auto& [key, old_value] : old_map) At(key, &old_value, new_map.Find(key));
    for (const auto& [key, new_value] : new_map) {
      if (!old_map.Has(key)) At(key, nullptr, &new_value);
    }
  }
  py::list leaves() const { return leaves_; }
  bool any() const { return py::len(leaves_) > 0; }

 private:
  void At(PropertyPath::Element element, const Value* old_value, const Value* new_value) {
    path_.push_back(std::move(element));
    Values(old_value, new_value);
    path_.pop_back();
  }

  // Null pointers: nothing is there.
  void Values(const Value* a, const Value* b) {
    if (!a || !b) return Note(a ? DiffKind::kDelete : DiffKind::kAdd, a, b);
    if (a->SameAs(*b)) return;
    if (a->is_secret() && b->is_secret() && !a->as_secret().sealed && !b->as_secret().sealed) {
      ++secret_;
      Values(&a->as_secret().element, &b->as_secret().element);
      --secret_;
    } else if (a->is_object() && b->is_object()) {
      Objects(a->as_object(), b->as_object());
    } else if (a->is_array() && b->is_array()) {
      Arrays(a->as_array(), b->as_array());
    } else if (!DeepEqual(*a, *b)) {
      Note(DiffKind::kUpdate, a, b);
    }
  }

  void Arrays(const Array& a, const Array& b) {
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      At(static_cast<int>(i), i < a.size() ? &a[i] : nullptr, i < b.size() ? &b[i] : nullptr);
    }
  }

  py::object Shown(const Value* value) const {
    if (!value) return py::none();
    return ToPython(secret_ > 0 ? Value::Secret(*value) : *value);
  }
  void Note(DiffKind kind, const Value* a, const Value* b) {
    leaves_.append(py::make_tuple(Text(PropertyPath(path_).str()), DiffKindName(kind), Shown(a), Shown(b)));
  }

  std::vector<PropertyPath::Element> path_;
  int secret_ = 0;  // how many secrets are around the values of now
  py::list leaves_;
};

const Value& AsValue(const Value& value) { return value; }
Value AsValue(const PropertyMap& map) { return map; }
Value AsValue(bool flag) { return flag; }
Value AsValue(const std::string& text) { return text; }
Value AsValue(const Urn& urn) { return urn.str(); }
Value AsValue(const std::vector<std::string>& texts) { return Array(texts.begin(), texts.end()); }
Value AsValue(const std::vector<Urn>& urns) {
  Array array;
  for (const Urn& urn : urns) array.push_back(urn.str());
  return array;
}

Value AsValue(const PropertyDependencies& dependencies) {
  PropertyMap map;
  for (const auto& [key, urns] : dependencies) {
    if (!urns.empty()) map.Set(key, AsValue(urns));  // an entry of nothing says nothing
  }
  return map;
}

// As a Resource has them in Python.
Value AsValue(const CustomTimeouts& timeouts) { return ToValue(FieldToPython(timeouts)); }
Value AsValue(const ResourceHooks& hooks) { return ToValue(FieldToPython(hooks)); }

// All that is recorded of a resource but when and where it was written down.
PropertyMap AsProperties(const State& state) {
  PropertyMap map;
  ForEachRecorded(state, [&map](const auto& field, const auto& value) {
    if (!field.use.dates_record) map.Set(std::string(field.name), AsValue(value));
  });
  return map;
}

// Live resources are matched by URN, those that wait for their deletion by URN and ID.
class SnapshotDiffer {
 public:
  SnapshotDiffer(const LibrarySnapshot& old_side, const LibrarySnapshot& new_side) {
    for (const StatePtr& state : old_side.resources()) {
      (state->pending_delete ? waiting_[{state->urn, state->id}] : live_[state->urn]) = state;
    }
    for (const StatePtr& state : new_side.resources()) Match(state);
    for (const StatePtr& state : old_side.resources()) {
      if (matched_.count(state.get()) == 0) removed_.append(ForPython(state));
    }
  }

  py::dict Describe() const {
    py::dict dict;
    dict["added"] = added_;
    dict["removed"] = removed_;
    dict["replaced"] = replaced_;
    dict["changed"] = changed_;
    return dict;
  }

 private:
  StatePtr Counterpart(const State& state) const {
    const auto live = live_.find(state.urn);
    if (!state.pending_delete) return live == live_.end() ? nullptr : live->second;
    const auto waiting = waiting_.find({state.urn, state.id});
    if (waiting != waiting_.end()) return waiting->second;
    return live != live_.end() && live->second->id == state.id ? live->second : nullptr;
  }

  void Match(const StatePtr& state) {
    const StatePtr old_state = Counterpart(*state);
    if (!old_state) return added_.append(ForPython(state));
    matched_.insert(old_state.get());
    if (old_state == state) return;
    LeafDiffer differ;
    differ.Objects(AsProperties(*old_state), AsProperties(*state));
    if (!differ.any()) return;
    const bool replaced = state->custom && old_state->id != state->id;
    (replaced ? replaced_ : changed_).append(py::make_tuple(ForPython(old_state), ForPython(state), differ.leaves()));
  }

  std::unordered_map<Urn, StatePtr> live_;
  std::map<std::pair<Urn, std::string>, StatePtr> waiting_;
  std::set<const State*> matched_;
  py::list added_, removed_, replaced_, changed_;
};

py::list DiffProperties(const py::object& old_map, const py::object& new_map) {
  LeafDiffer differ;
  differ.Objects(ToProperties(old_map), ToProperties(new_map));
  return differ.leaves();
}

}  // namespace

void AddDiff(py::module_& module) {
  module.def("diff_properties", &DiffProperties);
  module.def("diff_snapshots", [](const LibrarySnapshot& old_side, const LibrarySnapshot& new_side) {
    return SnapshotDiffer(old_side, new_side).Describe();
  });
}

}  // namespace kingpost::python
