// SPDX-License-Identifier: Apache-2.0
// The document of a stack's tags: {"version":1,"tags":{...}}. Pure.
#pragma once

#include <map>
#include <string>

#include "base/status.h"

namespace kingpost {

Result<std::map<std::string, std::string>> DecodeTags(const std::string& location, const std::string& bytes);
std::string EncodeTags(const std::map<std::string, std::string>& tags);

}  // namespace kingpost
