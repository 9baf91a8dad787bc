// SPDX-License-Identifier: Apache-2.0
// Aliases, and the options that transforms and hooks get <-> the wire (row 9.6). Any thread.
#pragma once

#include "wire/wire.h"

#include "kingpost/registration.h"
#include "pulumi/resource.pb.h"

namespace kingpost {

void ToWireAlias(const Alias& alias, pulumirpc::Alias* out);
Alias FromWireAlias(const pulumirpc::Alias& wire);

Status ToWireOptions(const RegisterResourceRequest& request, pulumirpc::TransformResourceOptions* out);
Status FromWireOptions(const pulumirpc::TransformResourceOptions& wire, RegisterResourceRequest* request);
// The recorded options in the form for hooks; they do not get the trigger.
void ToWireOptions(const State& state, pulumirpc::ResourceOptions* out);

}  // namespace kingpost
