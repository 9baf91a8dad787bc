// SPDX-License-Identifier: Apache-2.0
// The path inside of ${...}: a.b[0]["c d"].e. Any thread.
#pragma once

#include <string>

#include "languages/pcl/ast.h"

namespace kingpost::yaml {

// Reads from text[*next], behind "${", to behind the brace that closes it.
Result<pcl::ExpressionPtr> ParseAccess(const std::string& text, size_t* next, pcl::Position at);

}  // namespace kingpost::yaml
