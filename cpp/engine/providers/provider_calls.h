// SPDX-License-Identifier: Apache-2.0
// Invoke and Call (rows 8.15, 8.16), with what values depend on: a provider that does not accept output values is given
// plain ones, and of what it answers everything depends on all that its arguments do.
#pragma once

#include "kingpost/provider.h"

namespace kingpost::providers {

Task<Result<InvokeResponse>> Invoke(ProviderPtr provider, InvokeRequest request);
Task<Result<CallResponse>> Call(ProviderPtr provider, CallRequest request);

}  // namespace kingpost::providers
