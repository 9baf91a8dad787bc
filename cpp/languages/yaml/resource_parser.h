// SPDX-License-Identifier: Apache-2.0
// One resource: key, type, properties, options. Any thread.
#pragma once

#include "languages/yaml/expression_reader.h"
#include "languages/yaml/program_decl.h"

namespace kingpost::yaml {

ResourceDecl ParseResource(const Entry& entry, ExpressionReader* expressions, Diagnostics* diagnostics);

}  // namespace kingpost::yaml
