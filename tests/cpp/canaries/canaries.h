// SPDX-License-Identifier: Apache-2.0
// Scenarios in which all that the program says is a secret. Every plaintext holds kCanary, so one that shows anywhere
// is found by that word.
#pragma once

#include "scenarios/scenario.h"

namespace kingpost::canaries {

inline constexpr char kCanary[] = "kanarie";

enum class Grain { kLeaves, kProperties };  // what is a secret: each text and number, or each property as a whole

// The scenario with canaries in the inputs, outputs and arguments of its programs and in its secret configuration, and
// with one at the end of each message of programs, providers, hooks and policies. Its providers understand secrets, and
// say of none that it is one when they are asked to read. What was to come of it is left out. The plaintexts count as
// seen, as if they had come over the wire.
scenarios::Scenario WithCanaries(scenarios::Scenario scenario, Grain grain);

}  // namespace kingpost::canaries
