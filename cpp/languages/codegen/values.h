// SPDX-License-Identifier: Apache-2.0
// From recorded values to expressions: shaped by the schema where there is one, texts that name other resources turned
// into references, secrets into settings. Any thread.
#pragma once

#include <vector>

#include "languages/codegen/from_states.h"
#include "languages/codegen/references.h"

namespace kingpost::codegen {

// The inputs as far as the schema has them; all of them, as they are, without one. Settings that stand for secrets, and
// notes, are added to *generated. Equal values of one resource's copies share nothing: each place has its own setting.
std::vector<NamedExpression> InputsOf(const State& state, const StateSource& source, References* references,
                                      GeneratedProgram* generated);

}  // namespace kingpost::codegen
