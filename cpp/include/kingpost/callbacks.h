// SPDX-License-Identifier: Apache-2.0
// Callbacks: functions of the user's program that the engine calls (row 9.6): transforms and hooks.
// A seam: gRPC callback servers, Python callables and fakes implement it. Engine thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/task.h"
#include "model/resource.h"

namespace kingpost {

struct Callback {
  std::string target, token;
  bool accepts_byte_string = false;
};

// The options a transform sees and may change; the wire's TransformResourceOptions.
struct ResourceOptions : SteadyOptions, OpenOptions {
  std::vector<std::string> depends_on;
  std::string version;
  std::string provider;
  std::string plugin_download_url;
  std::string deleted_with;
  std::map<std::string, std::string> providers;
  std::map<std::string, std::string> plugin_checksums;  // platform -> bytes
  std::vector<std::string> replace_with;
  std::string parent;  // only told to hooks
};

struct TransformRequest {
  std::string type, name, parent;
  bool custom = false;
  PropertyMap properties;
  ResourceOptions options;
};
struct TransformResponse {
  PropertyMap properties;
  ResourceOptions options;
};

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
  std::optional<ResourceOptions> old_options, new_options;
};
struct ErrorHookRequest {
  Urn urn;
  std::string id, name, type;
  std::optional<PropertyMap> new_inputs, old_inputs, old_outputs;
  std::string failed_operation;     // "create", "update", "delete"
  std::vector<std::string> errors;  // newest first
  std::optional<ResourceOptions> old_options, new_options;
};

class Callbacks {
 public:
  virtual ~Callbacks() = default;
  virtual Task<Result<TransformResponse>> Transform(Callback callback, TransformRequest request) = 0;
  virtual Task<Result<TransformInvokeResponse>> TransformInvoke(Callback callback, TransformInvokeRequest request) = 0;
  virtual Task<Status> RunHook(Callback callback, ResourceHookRequest request) = 0;
  virtual Task<Result<bool>> RunErrorHook(Callback callback, ErrorHookRequest request) = 0;  // true: try again
};

}  // namespace kingpost
