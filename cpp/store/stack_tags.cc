// SPDX-License-Identifier: Apache-2.0
#include "store/stack_tags.h"

#include "base/json_access.h"

namespace kingpost {

namespace {

constexpr int kTagsVersion = 1;

}  // namespace

Result<std::map<std::string, std::string>> DecodeTags(const std::string& location, const std::string& bytes) {
  const nlohmann::json content = ParseJson(bytes);
  const nlohmann::json* version = FieldOf(content, "version");
  if (!version || *version != kTagsVersion) {
    return Status(Code::kDataLoss,
                  location + ": unsupported stack tags version; expected {\"version\":1,\"tags\":{...}}");
  }
  std::map<std::string, std::string> tags;
  const nlohmann::json listed = ObjectOf(content, "tags");
  for (const auto& [key, value] : listed.items()) {
    if (value.is_string()) tags[key] = TextIn(value);
  }
  return tags;
}

std::string EncodeTags(const std::map<std::string, std::string>& tags) {
  nlohmann::ordered_json content;
  content["version"] = kTagsVersion;
  content["tags"] = tags;
  return content.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace kingpost
