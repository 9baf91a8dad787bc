// SPDX-License-Identifier: Apache-2.0
// Scenarios in which every value of the program is a secret. Every plaintext holds kCanary, so a search for that word
// finds a leak.
#pragma once

#include "scenarios/scenario.h"

namespace kingpost::canaries {

inline constexpr char kCanary[] = "kanarie";

enum class Grain {
  kLeaves,
  kProperties
};  // the unit that is a secret: each text and number, or each property as a whole

// Returns the scenario with canaries in all its secrets: in inputs, outputs and arguments of programs, and in secret
// configuration. Each message of programs, providers, hooks and policies ends with a canary, too. The providers
// understand secrets, but their reads mark none. The expectations are removed. The plaintexts count as seen, as if they
// had come over the wire.
scenarios::Scenario WithCanaries(scenarios::Scenario scenario, Grain grain);

}  // namespace kingpost::canaries
