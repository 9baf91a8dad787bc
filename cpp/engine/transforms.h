// SPDX-License-Identifier: Apache-2.0
// Transforms: functions of the program that change registrations and invokes on their way (rows 1.20 to 1.23).
// Owns who transforms what. Engine thread.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "kingpost/callbacks.h"
#include "kingpost/engine.h"

namespace kingpost::engine {

class Transforms {
 public:
  explicit Transforms(const Operation& operation) : operation_(operation) {}

  void AddForStack(Callback callback) { stack_.push_back(std::move(callback)); }
  void AddForInvokes(Callback callback) { invokes_.push_back(std::move(callback)); }

  // A resource's own transforms. Those of a remote component are kept until the component registers itself.
  std::vector<Callback> Own(const RegisterResourceRequest& request);
  // Own first, then the parent's, the grandparent's and so on, then the stack's.
  std::vector<Callback> For(const std::vector<Callback>& own, const Urn& parent) const;
  Task<Status> Apply(std::vector<Callback> callbacks, RegisterResourceRequest* request);
  Task<Result<TransformInvokeResponse>> ApplyToInvoke(TransformInvokeRequest request);

  void Registered(const Urn& urn, const Urn& parent, std::vector<Callback> own);

 private:
  const Operation& operation_;
  std::vector<Callback> stack_, invokes_;
  std::unordered_map<std::string, std::vector<Callback>> pending_;  // of remote components under construction
  std::unordered_map<Urn, std::vector<Callback>> below_;  // for what is below a resource; only of those that have some
};

}  // namespace kingpost::engine
