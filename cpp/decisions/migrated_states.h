// SPDX-License-Identifier: Apache-2.0
// The states that the callback of a state migration sees and answers (rows 11.3 and 11.5). They are a JSON array of
// resources in the form of a state file, with secrets in their envelopes, but in plaintext. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/resource.h"

namespace kingpost::decisions {

Result<std::string> EncodeForCallback(const std::vector<StatePtr>& states);

// Strict: a field that no resource has would be lost, and a secret that is encrypted cannot be one of ours. What the
// states must be beside that is asked later.
Result<std::vector<StatePtr>> DecodeFromCallback(std::string_view json);

// Whether both would be written alike.
bool AreEquivalent(const State& a, const State& b);
bool AreEquivalent(const std::vector<StatePtr>& a, const std::vector<StatePtr>& b);

}  // namespace kingpost::decisions
