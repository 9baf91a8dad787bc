// SPDX-License-Identifier: Apache-2.0
// Questions to providers and their answers (group 8), as plain values: decisions are made of these without the seam
// that carries them, kingpost/provider.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/provider_spec.h"
#include "model/resource.h"
#include "model/value_diff.h"

namespace kingpost {

struct ProviderFeatures {
  bool supports_preview = false;
  bool accept_secrets = false;
  bool accept_resources = false;
  bool accept_outputs = false;  // in Construct
  bool accepts_outputs_in_invoke = false;
  bool accepts_outputs_in_call = false;
  bool supports_autonaming = false;
  bool accepts_byte_string = false;
};

struct CheckFailure {
  std::string property, reason;
};

enum class AutonamingMode { kPropose = 0, kEnforce = 1, kDisable = 2 };
struct Autonaming {
  std::string proposed_name;
  AutonamingMode mode = AutonamingMode::kPropose;
};

struct CheckRequest {
  Urn urn;
  std::string name, type;
  PropertyMap old_inputs, old_outputs, new_inputs;
  std::string random_seed;  // 32 bytes or empty
  std::optional<Autonaming> autonaming;
  bool allow_unknowns = true;
};
struct CheckResponse {
  PropertyMap inputs;
  std::vector<CheckFailure> failures;
};

struct DiffRequest {
  Urn urn;
  std::string name, type, id;
  PropertyMap old_inputs, old_outputs, new_inputs;
  std::vector<std::string> ignore_changes;
  bool allow_unknowns = true;
};
struct DiffResponse {
  DiffChanges changes = DiffChanges::kUnknown;
  std::vector<std::string> replaces, stables, changed_keys;
  DetailedDiff detailed;  // meaningful if has_detailed
  bool has_detailed = false;
  bool delete_before_replace = false;
};

struct ConfigureRequest {
  Urn urn;
  std::string name, type, id;
  PropertyMap inputs;
};

// Where a provider publishes view steps while it works (row 3.47); empty if not offered.
struct StatusTarget {
  std::string address, token;
};

struct CreateRequest {
  Urn urn;
  std::string name, type;
  PropertyMap inputs;
  double timeout_s = 0;
  bool preview = false;
  StatusTarget status;
};
struct CreateResponse {
  std::string id;
  PropertyMap outputs;
  bool refresh_before_update = false;
};

struct ReadRequest {
  Urn urn;
  std::string name, type, id;
  PropertyMap inputs, outputs;  // outputs is the recorded state
  bool bare = false;            // an import: nothing is recorded, so there are neither inputs nor outputs
  double timeout_s = 0;
  StatusTarget status;
  std::vector<StatePtr> old_views;
};
struct ReadResponse {
  std::string id;                      // "" if the resource is gone
  std::optional<PropertyMap> inputs;   // nullopt if the provider gave none
  std::optional<PropertyMap> outputs;  // nullopt if the resource is gone
  bool refresh_before_update = false;
};

struct UpdateRequest {
  Urn urn;
  std::string name, type, id;
  PropertyMap old_inputs, old_outputs, new_inputs;
  double timeout_s = 0;
  std::vector<std::string> ignore_changes;
  bool preview = false;
  StatusTarget status;
  std::vector<StatePtr> old_views;
};
struct UpdateResponse {
  PropertyMap outputs;
  bool refresh_before_update = false;
};

struct DeleteRequest {
  Urn urn;
  std::string name, type, id;
  PropertyMap inputs, outputs;
  double timeout_s = 0;
  StatusTarget status;
  std::vector<StatePtr> old_views;
};

// Detail of a Status: the resource exists but did not initialise (row 5.6).
struct InitFailed {
  std::string id;
  PropertyMap outputs;
  std::optional<PropertyMap> inputs;
  std::vector<std::string> reasons;
  bool refresh_before_update = false;
};

struct ConstructInfo {
  std::string project, stack, organization;
  std::map<std::string, std::string> config;
  std::vector<std::string> config_secret_keys;
  bool dry_run = false;
  int parallel = 1;
  std::string monitor_address;
  std::string stack_trace_handle;
};
// A goal whose inputs hold output values.
struct ConstructRequest : Goal {
  ConstructInfo info;
  std::map<std::string, std::string> providers;  // package -> reference
};
struct ConstructResponse {
  Urn urn;
  PropertyMap outputs;
  PropertyDependencies output_dependencies;
};

struct InvokeRequest {
  std::string token;
  PropertyMap args;  // with output values, if the provider accepts them
  bool preview = false;
};
struct InvokeResponse {
  PropertyMap result;  // with output values
  std::vector<CheckFailure> failures;
};

struct CallRequest {
  ConstructInfo info;
  std::string token;
  PropertyMap args;  // with output values, if the provider accepts them
  PropertyDependencies arg_dependencies;
};
struct CallResponse {
  PropertyMap result;  // with output values
  PropertyDependencies result_dependencies;
  std::vector<CheckFailure> failures;
};

struct SchemaRequest {
  int version = 0;
  std::string subpackage_name, subpackage_version;
};

}  // namespace kingpost
