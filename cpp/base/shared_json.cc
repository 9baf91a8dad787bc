// SPDX-License-Identifier: Apache-2.0
#include "base/shared_json.h"

#include <nlohmann/json.hpp>

namespace kingpost {

SharedJson::SharedJson(nlohmann::json value) {
  if (!value.is_null()) value_ = std::make_shared<const nlohmann::json>(std::move(value));
}

SharedJson SharedJson::EmptyObject() { return nlohmann::json::object(); }

const nlohmann::json& SharedJson::operator*() const {
  static const nlohmann::json null;
  return value_ ? *value_ : null;
}

}  // namespace kingpost
