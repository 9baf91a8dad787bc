// SPDX-License-Identifier: Apache-2.0
// The messages of Construct and Call (rows 8.14, 8.15). Any thread.
#pragma once

#include "wire/wire.h"

#include <string>

#include "kingpost/provider_values.h"
#include "pulumi/provider.pb.h"
#include "wire/convert.h"

namespace kingpost {

// `options` says what the receiver understands, `monitor` where it finds the monitor.
Result<pulumirpc::ConstructRequest> ConstructMessage(const ConstructRequest& request, const std::string& monitor,
                                                     const WireOptions& options);
Result<ConstructResponse> ReadConstructed(const pulumirpc::ConstructResponse& wire, const ConstructRequest& request);

Result<pulumirpc::CallRequest> CallMessage(const CallRequest& request, const std::string& monitor,
                                           const WireOptions& options);
Result<CallResponse> ReadCalled(const pulumirpc::CallResponse& wire, const CallRequest& request);

}  // namespace kingpost
