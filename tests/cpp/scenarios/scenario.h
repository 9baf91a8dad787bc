// SPDX-License-Identifier: Apache-2.0
// A scenario: a file of tests/scenarios that says what happens to a stack, act by act, and what must come of it.
//
// tests/scenarios/README.md is the manual of the format. Loading checks every key, so that a slip of the pen is an
// error that names the place and never a check that silently does nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace kingpost::scenarios {

using Json = nlohmann::json;

// A mistake in a scenario file, and where it is. Never leaves a coroutine.
class Mistake : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Scenario {
  std::string file;                // relative to tests/scenarios
  std::vector<std::string> rules;  // rows of the feature table: "3.26"
  std::string title;
  bool permute = true;  // run with the completions in other orders too
  Json world;           // plugins, policies, transforms, config, stacks, requires: until an act changes them
  std::vector<Json> acts;
};

// Throws Mistake.
Scenario LoadScenario(const std::string& folder, const std::string& file);

// The rules of rows.yaml: number -> {name, elsewhere}. Throws Mistake.
Json LoadRows(const std::string& folder);

// A mapping with one leading key that tells what it is, as statements are: {"resource": "a", ...}.
std::string KindOf(const Json& statement);

// map[key], or an empty mapping if there is none.
const Json& Mapping(const Json& map, const std::string& key);

// Keys of `map`; anything else is a Mistake that names `where`.
void AllowOnly(const Json& map, const std::vector<std::string>& keys, const std::string& where);

}  // namespace kingpost::scenarios
