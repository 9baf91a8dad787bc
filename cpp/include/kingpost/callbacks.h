// SPDX-License-Identifier: Apache-2.0
// Callbacks: functions of the user's program that the engine calls (row 9.6): transforms, hooks and migrations.
// A seam: gRPC callback servers, Python callables and fakes implement it. Engine thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/task.h"
#include "kingpost/registration.h"

namespace kingpost {

struct InvokeOptions {
  std::string provider, plugin_download_url, version;
  std::map<std::string, std::string> plugin_checksums;
};
struct TransformInvokeRequest {
  std::string token;
  PropertyMap args;
  InvokeOptions options;
};
struct TransformInvokeResponse {
  PropertyMap args;
  InvokeOptions options;
};

struct ResourceHookRequest {
  Urn urn;
  std::string id, name, type;
  std::optional<PropertyMap> new_inputs, old_inputs, new_outputs, old_outputs;
  // Whose options the hook is told; null if there is none. They live until the answer.
  const State *old_state = nullptr, *new_state = nullptr;
};
struct ErrorHookRequest {
  Urn urn;
  std::string id, name, type;
  std::optional<PropertyMap> new_inputs, old_inputs, old_outputs;
  std::string failed_operation;     // "create", "update", "delete"
  std::vector<std::string> errors;  // newest first
  const State *old_state = nullptr, *new_state = nullptr;
};

// States as a JSON array of resources, as in a state file, with secrets in plaintext.
struct StateMigrationRequest {
  Urn urn;  // of the registration
  std::string old_state;
};
struct StateMigrationResponse {
  std::string new_state;                          // "": as it was
  std::map<std::string, std::string> successors;  // URNs of resources that are gone, and who stands for them
};

class Callbacks {
 public:
  virtual ~Callbacks() = default;
  // The request as the function leaves it: inputs and options may differ.
  virtual Task<Result<RegisterResourceRequest>> Transform(Callback callback, RegisterResourceRequest request) = 0;
  virtual Task<Result<TransformInvokeResponse>> TransformInvoke(Callback callback, TransformInvokeRequest request) = 0;
  virtual Task<Status> RunHook(Callback callback, ResourceHookRequest request) = 0;
  virtual Task<Result<bool>> RunErrorHook(Callback callback, ErrorHookRequest request) = 0;  // true: try again
  virtual Task<Result<StateMigrationResponse>> MigrateState(Callback callback, StateMigrationRequest request) = 0;
};

}  // namespace kingpost
