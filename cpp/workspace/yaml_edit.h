// SPDX-License-Identifier: Apache-2.0
// Changes values in the text of a YAML document and leaves every other byte alone.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/status.h"
#include "workspace/yaml_node.h"

namespace kingpost {

// The document's text, changed so that it says `value` (an object). Equal parts keep their bytes with all comments and
// order. New keys go to the end of their map, and removed ones take only their own lines along. Where the text cannot
// be changed in place (brackets, JSON, anchors in the way) the smallest enclosing part is written anew.
std::string EditYaml(const YamlDocument& document, const nlohmann::ordered_json& value);

}  // namespace kingpost
