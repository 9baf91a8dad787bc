// SPDX-License-Identifier: Apache-2.0
// Requests of the resource monitor, from the wire's messages to the engine's structs (group 1). Texts stay as they
// came: the engine judges them. Any thread.
#pragma once

#include "wire/wire.h"

#include <string>

#include "kingpost/monitor.h"
#include "pulumi/resource.pb.h"

namespace kingpost {

// `from_nodejs`: by the call's metadata (row 1.16).
Result<RegisterResourceRequest> DecodeRegisterResource(const pulumirpc::RegisterResourceRequest& wire,
                                                       bool from_nodejs);
Result<ReadResourceRequest> DecodeReadResource(const pulumirpc::ReadResourceRequest& wire);
Result<ExistsResourceRequest> DecodeExistsResource(const pulumirpc::ExistsResourceRequest& wire);
Result<ResourceInvokeRequest> DecodeInvoke(const pulumirpc::ResourceInvokeRequest& wire);
Result<ResourceCallRequest> DecodeCall(const pulumirpc::ResourceCallRequest& wire);
Result<PropertyMap> DecodeOutputs(const pulumirpc::RegisterResourceOutputsRequest& wire);
RegisterPackageRequest DecodeRegisterPackage(const pulumirpc::RegisterPackageRequest& wire);
Callback DecodeCallback(const pulumirpc::Callback& wire);

}  // namespace kingpost
