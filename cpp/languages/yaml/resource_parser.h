// SPDX-License-Identifier: Apache-2.0
// One resource: key, type, properties, options. Any thread.
#pragma once

#include "languages/yaml/expression_parser.h"
#include "languages/yaml/template.h"

namespace kingpost::yaml {

ResourceDecl ParseResource(const Entry& entry, ExpressionParser* expressions, Diagnostics* diagnostics);

}  // namespace kingpost::yaml
