// SPDX-License-Identifier: Apache-2.0
// The small JSON documents of services, without the JSON library in every file that reads one: each value under the
// way to it, as a text.
//
//   {"Credentials":{"AccessKeyId":"A","Expiration":7},"items":[{"name":"x"}]}
//       ─▶ Credentials.AccessKeyId: A, Credentials.Expiration: 7, items.0.name: x
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kingpost {

class FlatJson {
 public:
  // nullopt if it is no JSON object.
  static std::optional<FlatJson> Parse(std::string_view text);

  std::string Text(const std::string& way) const;  // "" if there is none
  bool Has(const std::string& way) const { return values_.contains(way); }
  const std::map<std::string, std::string>& values() const { return values_; }

 private:
  std::map<std::string, std::string> values_;
};

// {"NAME":"VALUE",...}, all texts.
std::string JsonOf(const std::vector<std::pair<std::string, std::string>>& fields);
std::string JsonText(std::string_view text);  // with its quotes

}  // namespace kingpost
