// SPDX-License-Identifier: Apache-2.0
// The text of a package.json that is changed. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kingpost {

// With the indentation and the ends of lines of the text that was there, as npm writes it: what is on one line stays on
// one line.
std::string ManifestText(const nlohmann::ordered_json& manifest, const std::string& old_text);

}  // namespace kingpost
