// SPDX-License-Identifier: Apache-2.0
// Resetting a goal to old values along a path, for ignoreChanges (row 3.21).
//
//   path      old             goal             result
//   a         {a: 1}          {a: 2}           {a: 1}
//   a         {a: 1}          {}               {a: 1}          what only old has comes back
//   a         {}              {a: 2}           {}              what only the goal has goes
//   a[1]      {a: [1, 2]}     {a: [3]}         fails           arrays keep their length
//   a[*]      {a: [1, 2]}     {a: [3]}         {a: [1]}, fails
//   *.b       each key of old must be in the goal
//
// Pure functions; any thread.
#include <algorithm>

#include "model/property_path.h"

namespace kingpost {

namespace {

using Element = PropertyPath::Element;

// The goal's value after the reset, which may have gone part of the way before it failed.
struct Outcome {
  Value value;
  bool ok = true;
};

// A value on the way down, out of its secrets; `secret` is true if it or anything around it was one.
struct View {
  explicit View(const Value& v, bool secret_around = false) : value(&v), secret(secret_around) {
    while (value->is_secret()) {
      value = &value->as_secret().element;
      secret = true;
    }
  }
  bool is_array() const { return value->is_array(); }
  bool is_object() const { return value->is_object(); }
  const Array& array() const { return value->as_array(); }
  const PropertyMap& object() const { return value->as_object(); }
  View Child(const Value& child) const { return View(child, secret); }

  const Value* value;
  bool secret;
};

class Resetter {
 public:
  explicit Resetter(const std::vector<Element>& path) : path_(path) {}

  // `goal` is the value to change, with the secrets directly around it.
  Outcome Run(const View& old, const Value& goal, bool secret_around, size_t depth) const {
    const View view(goal, secret_around);
    Outcome outcome = Dispatch(old, view, depth);
    if (outcome.value.SameAs(*view.value)) {
      outcome.value = goal;
    } else if (goal.is_secret()) {
      outcome.value = Value::Secret(std::move(outcome.value));
    }
    return outcome;
  }

 private:
  bool Last(size_t depth) const { return depth + 1 == path_.size(); }

  Outcome Dispatch(const View& old, const View& goal, size_t depth) const {
    if (const int* index = std::get_if<int>(&path_[depth])) return ResetIndex(old, goal, *index, depth);
    if (const std::string* name = std::get_if<std::string>(&path_[depth])) {
      return Last(depth) ? ResetName(old, goal, *name) : DescendName(old, goal, *name, depth);
    }
    return Last(depth) ? ResetAll(old, goal) : DescendAll(old, goal, depth);
  }

  // The value in the goal's place: the old one, still secret if something around it was.
  static Value Restored(const View& old, const View& goal, const Value& value) {
    return old.secret && !goal.secret ? Value::Secret(value) : value;
  }

  Outcome ResetIndex(const View& old, const View& goal, int index, size_t depth) const {
    const Outcome unchanged{*goal.value, true}, failed{*goal.value, false};
    if (index < 0) return failed;
    if (!old.is_array() && !goal.is_array()) return unchanged;
    if (!old.is_array() || !goal.is_array()) return failed;
    const size_t i = static_cast<size_t>(index);
    const bool in_old = i < old.array().size(), in_goal = i < goal.array().size();
    if (Last(depth) && !in_old && !in_goal) return unchanged;
    if (!in_old || !in_goal) return failed;
    Array array = goal.array();
    if (Last(depth)) {
      array[i] = Restored(old, goal, old.array()[i]);
      return {Value(std::move(array)), true};
    }
    Outcome inner = Run(old.Child(old.array()[i]), array[i], goal.secret, depth + 1);
    if (inner.value.SameAs(array[i])) return {*goal.value, inner.ok};
    array[i] = std::move(inner.value);
    return {Value(std::move(array)), inner.ok};
  }

  Outcome ResetName(const View& old, const View& goal, const std::string& name) const {
    const Value* value = old.is_object() ? old.object().Find(name) : nullptr;
    if (!goal.is_object()) return {*goal.value, value == nullptr};
    PropertyMap map = goal.object();
    if (value) {
      map.Set(name, Restored(old, goal, *value));
    } else {
      map.Erase(name);
    }
    return {Value(std::move(map)), true};
  }

  Outcome DescendName(const View& old, const View& goal, const std::string& name, size_t depth) const {
    const Outcome unchanged{*goal.value, true}, failed{*goal.value, false};
    if (!old.is_object() || !goal.is_object()) return !old.is_object() && !goal.is_object() ? unchanged : failed;
    const Value* old_child = old.object().Find(name);
    const Value* goal_child = goal.object().Find(name);
    if (!goal_child) return old_child ? failed : unchanged;
    const Value absent;
    Outcome inner = Run(old.Child(old_child ? *old_child : absent), *goal_child, goal.secret, depth + 1);
    if (inner.value.SameAs(*goal_child)) return {*goal.value, inner.ok};
    PropertyMap map = goal.object();
    map.Set(name, std::move(inner.value));
    return {Value(std::move(map)), inner.ok};
  }

  Outcome ResetAll(const View& old, const View& goal) const {
    if (goal.is_object()) {
      if (!old.is_object()) return {*goal.value, true};
      PropertyMap::Entries entries;
      for (const auto& [key, value] : old.object()) entries.push_back({key, Restored(old, goal, value)});
      return {Value(PropertyMap::FromEntries(std::move(entries))), true};
    }
    if (!goal.is_array()) return {*goal.value, false};
    if (!old.is_array()) return {*goal.value, true};
    Array array = goal.array();
    const size_t common = std::min(array.size(), old.array().size());
    for (size_t i = 0; i < common; ++i) array[i] = Restored(old, goal, old.array()[i]);
    return {Value(std::move(array)), old.array().size() == goal.array().size()};
  }

  Outcome DescendAll(const View& old, const View& goal, size_t depth) const {
    if (old.is_object() && goal.is_object()) return DescendKeys(old, goal, depth);
    if (old.is_array() && goal.is_array()) return DescendElements(old, goal, depth);
    return {*goal.value, false};
  }

  Outcome DescendKeys(const View& old, const View& goal, size_t depth) const {
    PropertyMap map = goal.object();
    for (const auto& [key, value] : old.object()) {
      const Value* goal_child = goal.object().Find(key);
      if (!goal_child) return {Value(std::move(map)), false};
      Outcome inner = Run(old.Child(value), *goal_child, goal.secret, depth + 1);
      if (!inner.value.SameAs(*goal_child)) map.Set(key, std::move(inner.value));
      if (!inner.ok) return {Value(std::move(map)), false};
    }
    return {Value(std::move(map)), true};
  }

  Outcome DescendElements(const View& old, const View& goal, size_t depth) const {
    Array array = goal.array();
    const size_t common = std::min(array.size(), old.array().size());
    for (size_t i = 0; i < common; ++i) {
      Outcome inner = Run(old.Child(old.array()[i]), array[i], goal.secret, depth + 1);
      array[i] = std::move(inner.value);
      if (!inner.ok) return {Value(std::move(array)), false};
    }
    return {Value(std::move(array)), old.array().size() == goal.array().size()};
  }

  const std::vector<Element>& path_;
};

}  // namespace

std::optional<Value> PropertyPath::Reset(const Value& old_root, const Value& goal_root, Value* partial) const {
  if (empty()) {
    if (partial) *partial = goal_root;
    return std::nullopt;
  }
  Outcome outcome = Resetter(elements_).Run(View(old_root), goal_root, false, 0);
  if (outcome.ok) return std::move(outcome.value);
  if (partial) *partial = std::move(outcome.value);
  return std::nullopt;
}

}  // namespace kingpost
