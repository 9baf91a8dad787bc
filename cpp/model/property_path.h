// SPDX-License-Identifier: Apache-2.0
// Property paths such as  a.b[0]["k.x"].*  (row 3.21).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/value.h"

namespace kingpost {

class PropertyPath {
 public:
  struct Wildcard {
    friend bool operator==(Wildcard, Wildcard) { return true; }
  };
  using Element = std::variant<std::string, int, Wildcard>;

  PropertyPath() = default;
  explicit PropertyPath(std::vector<Element> elements) : elements_(std::move(elements)) {}
  static Result<PropertyPath> Parse(std::string_view text);

  const std::vector<Element>& elements() const { return elements_; }
  bool empty() const { return elements_.empty(); }
  std::string str() const;

  // True if this path is a prefix of other, counting wildcards as any key.
  bool Contains(const PropertyPath& other) const;

  const Value* Get(const Value& root) const;  // null if absent; no wildcards; looks through secrets and outputs
  // The root with the value at this path set (objects are made on the way; arrays may grow by one element).
  std::optional<Value> Set(const Value& root, const Value& value) const;
  std::optional<Value> Delete(const Value& root) const;
  // Row 3.21: the goal's value at this path reset to the old one, or nullopt if that would add or remove an
  // array element. Wildcards visit the keys of both. Secretness is kept. On failure *partial, if given, is the goal
  // with what could be reset: a[*] resets the elements that both arrays have.
  std::optional<Value> Reset(const Value& old_root, const Value& goal_root, Value* partial = nullptr) const;

 private:
  std::vector<Element> elements_;
};

}  // namespace kingpost
