// SPDX-License-Identifier: Apache-2.0
// Monitor: what a running program asks of the engine (group 1). Implemented by the engine, called by the gRPC
// edge and by tests. Requests hold text as it came; the engine validates it and answers with the reference's
// messages and codes. Every method runs on the engine thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/task.h"
#include "kingpost/callbacks.h"
#include "kingpost/provider_values.h"
#include "kingpost/registration.h"

namespace kingpost {

struct DeploymentInfo {
  std::string project, stack, organization;
  std::map<std::string, std::string> config;  // "project:key" -> decrypted text
  std::vector<std::string> config_secret_keys;
  bool dry_run = false;
  int parallel = 1;
  std::vector<int> features;  // numbers of row 1.3
};

enum class RegisterOutcome {
  kSuccess,
  kFail,
  kAwait,  // a step of it waits for something, which is no failure; the wire has it as one
  kSkip,   // left out, because something that it needs failed
};
struct RegisterResourceResponse {
  Urn urn;
  std::string id;
  PropertyMap outputs;
  bool stable = false;
  std::vector<std::string> stables;
  PropertyDependencies property_dependencies;
  RegisterOutcome outcome = RegisterOutcome::kSuccess;
  bool unknown = false;  // nothing is known of it: it was left out of this run
};

struct ReadResourceRequest {
  std::string id, type, name, parent;
  PropertyMap properties;
  std::vector<std::string> dependencies;
  std::string provider, version, plugin_download_url, package_ref;
  std::map<std::string, std::string> plugin_checksums;
  std::vector<std::string> additional_secret_outputs;
  std::string source_position;
  std::vector<std::string> stack_trace;
  std::string parent_stack_trace_handle;
};
struct ReadResourceResponse {
  Urn urn;
  std::string id;  // as the provider gave it; empty if it is not known
  PropertyMap outputs;
  RegisterOutcome outcome = RegisterOutcome::kSuccess;
  bool unknown = false;  // the provider was not asked, and nothing is recorded that could stand for its answer
};

struct ExistsResourceRequest {
  std::string type, id, parent;
  PropertyMap properties;
  std::string provider, version, plugin_download_url, package_ref;
  std::map<std::string, std::string> plugin_checksums;
};
struct ExistsResourceResponse {
  bool exists = false;
  bool unknown = false;  // the provider cannot say yet
};

struct ResourceInvokeRequest {
  std::string token;
  PropertyMap args;  // with output values
  std::string provider, version, plugin_download_url, package_ref;
  std::map<std::string, std::string> plugin_checksums;
  std::vector<std::string> depends_on;
  std::string parent;
  bool accept_output_values = false;  // else the answer has none
};
struct ResourceInvokeResponse {
  PropertyMap result;
  std::vector<CheckFailure> failures;
  bool unknown = false;
};

struct ResourceCallRequest {
  std::string token;
  PropertyMap args;  // with output values
  std::map<std::string, std::vector<std::string>> arg_dependencies;
  std::string provider, version, plugin_download_url, package_ref;
  std::map<std::string, std::string> plugin_checksums;
  std::string source_position;
  std::vector<std::string> stack_trace;
  std::string parent_stack_trace_handle;
  bool accept_output_values = false;  // else the answer has none
  std::string snippet_id;             // of a call by a snippet; never from the wire
};

struct RegisterPackageRequest {
  std::string name, version, download_url;
  std::map<std::string, std::string> checksums;
  std::optional<Parameterization> parameterization, extension;
};

class Monitor {
 public:
  virtual ~Monitor() = default;
  virtual DeploymentInfo GetDeploymentInfo() = 0;
  virtual bool SupportsFeature(const std::string& id) = 0;
  virtual Task<Result<RegisterResourceResponse>> RegisterResource(RegisterResourceRequest request) = 0;
  virtual Task<Status> RegisterResourceOutputs(std::string urn, PropertyMap outputs) = 0;
  virtual Task<Result<ReadResourceResponse>> ReadResource(ReadResourceRequest request) = 0;
  virtual Task<Result<ExistsResourceResponse>> ExistsResource(ExistsResourceRequest request) = 0;
  virtual Task<Result<ResourceInvokeResponse>> Invoke(ResourceInvokeRequest request) = 0;
  virtual Task<Result<CallResponse>> Call(ResourceCallRequest request) = 0;
  virtual Task<Status> RegisterStackTransform(Callback callback) = 0;
  virtual Task<Status> RegisterStackInvokeTransform(Callback callback) = 0;
  virtual Task<Status> RegisterResourceHook(std::string name, Callback callback, bool on_dry_run,
                                            bool ignore_errors) = 0;
  virtual Task<Status> RegisterErrorHook(std::string name, Callback callback) = 0;
  virtual Task<Result<std::string>> RegisterPackage(RegisterPackageRequest request) = 0;
  virtual Task<Status> SignalAndWaitForShutdown() = 0;
};

// Messages of plugins and language hosts to the engine besides registrations (rows 9.8, 3.47).
enum class Severity { kDebug = 0, kInfo = 1, kWarning = 2, kError = 3, kInfoErr = 4 };
const char* SeverityName(Severity severity);  // "debug", "info", "warning", "error", "info#err"

struct ViewStep {
  enum class Outcome { kOk = 0, kPartialFailure = 1, kUnknown = 2 };
  Outcome outcome = Outcome::kOk;
  std::string error, op, type, name;
  // As published: type, inputs, outputs; `urn` holds the bare name.
  std::shared_ptr<const State> old_state, new_state;
  std::string old_parent_type, old_parent_name, new_parent_type, new_parent_name;
  std::vector<std::string> keys, diffs;
  DetailedDiff detailed;
  bool has_detailed = false;
};

struct ProgressEvent;  // event.h

class EngineService {
 public:
  virtual ~EngineService() = default;
  virtual void Log(Severity severity, std::string message, std::string urn, int stream_id, bool ephemeral) = 0;
  virtual std::string root_resource() = 0;
  virtual void set_root_resource(std::string urn) = 0;
  virtual void StartDebugging(std::map<std::string, std::string> config, std::string message) = 0;
  virtual Status RequireVersion(const std::string& range) = 0;
  virtual Status PublishViewSteps(const std::string& token, const std::vector<ViewStep>& steps) = 0;
  // How far the download of a plugin has come.
  virtual void Progress(const ProgressEvent&) {}
};

}  // namespace kingpost
