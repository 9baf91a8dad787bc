// SPDX-License-Identifier: Apache-2.0
// From the text of a snippet to its tree. Any thread.
#pragma once

#include <string_view>

#include "languages/pcl/ast.h"

namespace kingpost::pcl {

// A body: attributes and blocks. Errors begin with "line,column: ".
Result<Body> ParseBody(std::string_view source);
// One expression and nothing else.
Result<ExpressionPtr> ParseExpression(std::string_view source);

}  // namespace kingpost::pcl
