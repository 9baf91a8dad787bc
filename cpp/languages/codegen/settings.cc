// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "languages/codegen/values.h"
#include "languages/pcl/builtins.h"
#include "languages/pcl/datum.h"

namespace kingpost::codegen {

namespace {

Setting::Kind KindOf(const Value& plain) {
  switch (plain.kind()) {
    case Value::Kind::kBool:
      return Setting::Kind::kBool;
    case Value::Kind::kNumber:
      return std::nearbyint(plain.as_number()) == plain.as_number() ? Setting::Kind::kInteger : Setting::Kind::kNumber;
    case Value::Kind::kArray:
      return Setting::Kind::kList;
    case Value::Kind::kObject:
      return Setting::Kind::kObject;
    default:
      return Setting::Kind::kText;
  }
}

std::string SettingText(const Value& plain) {
  if (plain.is_string()) return plain.as_string();
  return plain.is_null() ? "" : pcl::ToJson(plain);
}

}  // namespace

ExpressionPtr Settings::Add(const std::string& wish, const Value& plain) {
  const std::string text = SettingText(plain);
  std::string name = wish;
  const auto is_other = [&] {
    const auto found = known_.find(name);
    const bool declared =
        std::any_of(declared_.begin(), declared_.end(), [&](const Setting& setting) { return setting.name == name; });
    return declared || (found != known_.end() && found->second != text);
  };
  for (int counter = 2; is_other(); ++counter) name = wish + std::to_string(counter);
  if (known_.emplace(name, text).second) added_[name] = text;
  Setting setting{name, KindOf(plain), Setting::Kind::kText};
  if (plain.is_array() && !plain.as_array().empty()) setting.element = KindOf(plain.as_array().front());
  declared_.push_back(std::move(setting));
  return Make(SettingRef{name});
}

}  // namespace kingpost::codegen
