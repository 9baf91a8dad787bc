// SPDX-License-Identifier: Apache-2.0
// The program that declares what is recorded: pasted into the stack's program, nothing changes. Any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "languages/codegen/program.h"
#include "model/provider_inputs.h"
#include "model/snapshot.h"

namespace kingpost::codegen {

struct StateSource {
  std::vector<StatePtr> states;                       // to be declared, in any order
  const Snapshot* snapshot = nullptr;                 // where their providers are
  std::map<Urn, std::string> names;                   // what variables are to be called; also of undeclared_resources
  Packages packages;                                  // those whose schemas could be had
  std::map<std::string, std::string> known_settings;  // the stack's configuration in clear, without namespace
};

struct GeneratedProgram {
  Program program;
  std::map<std::string, std::string> settings;  // secrets that the configuration has to be given
  std::vector<std::string> notes;  // for the user: "web: password is required and was not told; fill it in"
};
GeneratedProgram ProgramOfStates(const StateSource& source);

// Whether a program can declare it: no default provider, root stack, view or side that is about to be deleted.
bool IsDeclared(const State& state);

// Which plugin a provider, or the recorded provider of a resource, was made of; nothing if it is not known.
std::optional<ProviderRequest> RecordedPlugin(const State& state, const Snapshot& snapshot);

}  // namespace kingpost::codegen
