// SPDX-License-Identifier: Apache-2.0
#include "engine/providers/extension.h"

#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/encoding.h"
#include "base/json_access.h"

namespace kingpost::providers {

std::string ExtensionJson(const Parameterization& extension) {
  nlohmann::ordered_json json;
  json["name"] = extension.name;
  json["version"] = extension.version;
  json["value"] = Base64Encode(extension.value);
  return json.dump();
}

Result<Parameterization> ParseExtension(const std::string& text) {
  const auto json = ParseJson(text);
  if (!json.is_object())
    return Status(Code::kDataLoss,
                  "the recorded extension is not a JSON object: go back to a version with `stack rollback`");
  auto bytes = Base64Decode(TextOf(json, "value"));
  if (!bytes)
    return Status(Code::kDataLoss,
                  "the value of the recorded extension is not base64: go back to a version with `stack rollback`");
  return Parameterization{TextOf(json, "name"), TextOf(json, "version"), *bytes};
}

std::string ExtensionRef(const Parameterization& extension) {
  return Sha256Hex(extension.name + '\0' + extension.version + '\0' + extension.value);
}

}  // namespace kingpost::providers
