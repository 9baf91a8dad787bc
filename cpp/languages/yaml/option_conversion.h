// SPDX-License-Identifier: Apache-2.0
// The options of a resource as options without a language, with the names that TypeScript has for them. Any thread.
#pragma once

#include <vector>

#include "languages/yaml/expression_conversion.h"

namespace kingpost::yaml {

std::vector<NamedExpression> ConvertOptions(const Body& body, const ResourceDecl& resource,
                                            ExpressionConverter* expressions);

}  // namespace kingpost::yaml
