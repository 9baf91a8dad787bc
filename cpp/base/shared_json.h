// SPDX-License-Identifier: Apache-2.0
// A JSON value that a header can hold without reading <nlohmann/json.hpp>, which takes a second in each file that sees
// it. Immutable and shared: a copy costs a pointer. Any thread.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace kingpost {

class SharedJson {
 public:
  SharedJson() = default;  // null
  SharedJson(nlohmann::json value);
  static SharedJson EmptyObject();

  explicit operator bool() const { return value_ != nullptr; }  // is it anything but null?
  const nlohmann::json& operator*() const;
  const nlohmann::json* operator->() const { return &**this; }

 private:
  std::shared_ptr<const nlohmann::json> value_;  // null for null
};

}  // namespace kingpost
