// SPDX-License-Identifier: Apache-2.0
// Failures across gRPC: statuses both ways, and the typed details that Pulumi's services put beside them (row 8.18).
// Any thread.
#pragma once

#include "wire/wire.h"

#include <google/rpc/status.pb.h>
#include <grpcpp/support/status.h>

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

// The code and the sender's text; the cause that SDKs attach follows after a colon, and the inputs that were refused
// are its detail (RefusedInputs).
Status FromGrpcStatus(const grpc::Status& status);
// kBail, which gRPC does not know, goes out as Unknown.
grpc::Status ToGrpcStatus(const Status& status);

// Whether the call broke on its way: the other side may have received it, and done what it asks, without our having an
// answer that we can read.
bool IsBrokenTransport(const grpc::Status& status);

inline bool IsUnimplemented(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::UNIMPLEMENTED;
}

// The first detail of type D, or nullopt.
template <class D>
std::optional<D> FindDetail(const grpc::Status& status) {
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) return std::nullopt;
  for (const auto& any : details.details()) {
    if (!any.Is<D>()) continue;
    D detail;
    if (wire::ParseDeep(any.value(), &detail)) return detail;
  }
  return std::nullopt;
}

// "2 errors occurred:\n\t* a\n\t* b\n\n", the text SDKs and users know.
std::string JoinErrors(const std::vector<std::string>& errors);

}  // namespace kingpost
