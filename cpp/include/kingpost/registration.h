// SPDX-License-Identifier: Apache-2.0
// A registration as it is asked for: a goal, and what has to be resolved before the goal stands.
#pragma once

#include <string>
#include <vector>

#include "model/resource.h"

namespace kingpost {

// A function of the user's program that the engine may call (row 9.6).
struct Callback {
  std::string target, token;
  bool accepts_byte_string = false;
};

// In the goal, URNs and the provider are text as it came. Source positions are "uri#line,column" as they came. Inputs
// may hold unknowns, secrets, references and output values.
struct RegisterResourceRequest : Goal, PackageOptions {
  bool remote = false;                                                       // a component that its provider constructs
  std::string package_ref;                                                   // from RegisterPackage
  std::string timeout_create, timeout_update, timeout_delete, timeout_read;  // Go durations
  bool has_legacy_aliases = false;  // the specs among the aliases are as old Node.js SDKs write them (row 1.16)
  std::vector<Callback> transforms;
  std::string parent_stack_trace_handle;
  std::vector<Callback> state_migrations;
  bool uses_output_values = false;         // what properties depend on is said by output values alone
  bool supports_result_reporting = false;  // the program understands that a registration failed
};

}  // namespace kingpost
