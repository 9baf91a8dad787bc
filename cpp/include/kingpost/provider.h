// SPDX-License-Identifier: Apache-2.0
// Provider: one plugin instance that manages resources (group 8). A seam: gRPC plugins, Python objects and
// scripted fakes implement it.
//
// Every method is called on the engine thread and answers there, possibly much later. Implementations do not
// block the engine thread. A failed operation answers with a Status whose message is the provider's own text,
// without transport decoration; a partially failed Create, Update or Read carries an InitFailed detail.
// Values passed in may hold secrets, unknowns, references and (Construct, Call) outputs; an implementation
// removes what the plugin does not understand and restores secretness afterwards (rows 8.5, 8.6).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/task.h"
#include "model/provider_spec.h"
#include "model/resource.h"
#include "model/value_diff.h"

namespace kingpost {

struct ProviderFeatures {
  bool supports_preview = false;
  bool accept_secrets = false;
  bool accept_resources = false;
  bool accept_outputs = false;
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
  PropertyMap old_inputs, new_inputs;
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
  bool bare = false;            // an import: nothing is recorded, and neither inputs nor outputs are sent
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
struct ConstructRequest : SteadyOptions, OpenOptions {
  ConstructInfo info;
  std::string type, name;
  Urn parent;
  PropertyMap inputs;  // with output values
  PropertyDependencies input_dependencies;
  std::map<std::string, std::string> providers;  // package -> reference
  std::vector<Urn> dependencies;
  Urn deleted_with;
  std::vector<Urn> replace_with;
};
struct ConstructResponse {
  Urn urn;
  PropertyMap outputs;
  PropertyDependencies output_dependencies;
};

struct InvokeRequest {
  std::string token;
  PropertyMap args;
  bool preview = false;
};
struct InvokeResponse {
  PropertyMap result;
  std::vector<CheckFailure> failures;
};

struct CallRequest {
  ConstructInfo info;
  std::string token;
  PropertyMap args;  // with output values
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

class Provider {
 public:
  virtual ~Provider() = default;

  virtual const ProviderFeatures& features() const = 0;  // complete after Configure
  virtual std::string version() const = 0;               // of the loaded plugin, "" if not known

  virtual Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization value) = 0;  // name, version
  virtual Task<Result<CheckResponse>> CheckConfig(CheckRequest request) = 0;
  virtual Task<Result<DiffResponse>> DiffConfig(DiffRequest request) = 0;
  virtual Task<Status> Configure(ConfigureRequest request) = 0;
  virtual Task<Result<CheckResponse>> Check(CheckRequest request) = 0;
  virtual Task<Result<DiffResponse>> Diff(DiffRequest request) = 0;
  virtual Task<Result<CreateResponse>> Create(CreateRequest request) = 0;
  virtual Task<Result<ReadResponse>> Read(ReadRequest request) = 0;
  virtual Task<Result<UpdateResponse>> Update(UpdateRequest request) = 0;
  virtual Task<Status> Delete(DeleteRequest request) = 0;
  virtual Task<Result<ConstructResponse>> Construct(ConstructRequest request) = 0;
  virtual Task<Result<InvokeResponse>> Invoke(InvokeRequest request) = 0;
  virtual Task<Result<CallResponse>> Call(CallRequest request) = 0;
  virtual Task<Result<std::string>> GetSchema(SchemaRequest request) = 0;

  // Asks operations in flight to stop soon; best effort.
  virtual Task<void> Cancel() = 0;
};
using ProviderPtr = std::shared_ptr<Provider>;

}  // namespace kingpost
